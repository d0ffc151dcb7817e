import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withPostgresPair } from '../testing/postgres-pair.js';
import { until } from '../kit/until.js';
import { openDatabase } from './database.js';

const test = suite('several servers');

test('connections go to the listed server that accepts writes, before and after a failover; without one the store is unavailable', () =>
  withPostgresPair(async (pair) => {
    const [primary, standby] = [portOf(pair.url), portOf(pair.standbyUrl)];
    const listed = pair.url.replace(
      `127.0.0.1:${primary}`,
      `127.0.0.1:1,127.0.0.1:${standby},127.0.0.1:${primary}`,
    );
    const database = openDatabase({ url: `${listed}?target_session_attrs=read-write` });
    const port = async (): Promise<string> => {
      const [row] = await database.rows({ text: 'SELECT inet_server_port()' });
      return row?.[0] ?? '';
    };
    try {
      assert.is(await port(), primary);
      const alone = openDatabase({ url: listed.replace(`,127.0.0.1:${primary}`, '') });
      assert.is(
        await alone.rows({ text: 'SELECT 1' }).catch((problem: Problem) => problem.code),
        'store-unavailable',
      );
      await alone.close();
      await pair.failOver();
      await until(async () => (await port().catch(() => '')) === standby);
      assert.equal(await database.rows({ text: "SELECT current_setting('transaction_read_only')" }), [
        ['off'],
      ]);
    } finally {
      await database.close();
    }
  }));

const portOf = (url: string): string => new URL(url).port;
