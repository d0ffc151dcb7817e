import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { openHome } from '../../runtime/database/embedded/server-home.js';
import { until } from '../../runtime/kit/until.js';
import { run, ordersOf, query, historyOf, reportsText } from '../testing/restored-store.js';
import { withDataDir } from '../testing/embedded-host.js';

const test = suite('a store that was restored while no host ran');

const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

test('the next host reports the exact range that is lost, once', () =>
  withDataDir(async (dataDir) => {
    const { cluster } = await openHome(dataDir);
    const backup = `${cluster}.backup`;
    await run(dataDir, ordersOf(1));
    await copy(cluster, backup);
    const [[fork] = []] = await query(dataDir, headText);
    await run(dataDir, ordersOf(2));
    const [[lostTo] = []] = await query(dataDir, headText);
    await rm(cluster, { recursive: true });
    await rename(backup, cluster);
    await run(dataDir, async ({ url }) => {
      const range = `The database went back to position ${fork}: acknowledged events up to position ${lostTo} are lost (epoch 2).`;
      await until(async () => (await historyOf(url))?.detail?.startsWith(range) === true);
    });
    await run(dataDir, async (host) => {
      await ordersOf(4)(host);
      assert.is((await historyOf(host.url))?.status, 'Healthy');
    });
    assert.equal(await query(dataDir, reportsText), [['2', fork, lostTo, 'north']]);
  }));

const headText = 'SELECT svc_head()';
