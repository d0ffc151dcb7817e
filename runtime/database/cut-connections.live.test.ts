import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { durationOf, until } from '../kit/until.js';
import { withProxy } from '../testing/network-proxy.js';
import { thrownBy } from '../testing/thrown-by.js';
import { openDatabase } from './database.js';

const test = suite('connections that are cut');

test('what waits for a silent server fails at once, and so does what is asked later; the database closes', () =>
  withDatabase((direct) =>
    withProxy(direct, async (line) => {
      const database = openDatabase({ url: line.url, connections: 3 });
      const ask = (): Promise<unknown> => database.rows({ text: 'SELECT 1' });
      const session = await database.session();
      await ask();
      line.silence();
      const before = line.sentBytes();
      const waiting = [ask(), ask(), session.rows({ text: 'SELECT 1' })];
      const ended = Promise.allSettled(waiting);
      await until(() => line.sentBytes() > before);
      const took = durationOf(ended);
      database.cut();
      assert.ok((await took) < 1_000);
      session.release(true);
      assert.is((await thrownBy(ask)).code, 'store-unavailable');
      assert.equal(
        (await ended).map(({ status }) => status),
        ['rejected', 'rejected', 'rejected'],
      );
      await database.close();
    }),
  ));
