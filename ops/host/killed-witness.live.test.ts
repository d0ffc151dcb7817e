import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { execute } from '../../runtime/kit/database.js';
import { until } from '../../runtime/kit/until.js';
import { withOrders } from '../testing/spawned-host.js';
import { type Body, run, ordersOf, query, historyOf, reportsText } from '../testing/restored-store.js';
import { withDataDir } from '../testing/embedded-host.js';

const test = suite('a store that was restored while no host ran');

const runUntilKilled = (dataDir: string, body: Body): Promise<void> =>
  withOrders({ SVC_DATA_DIR: dataDir, SVC_NAME: 'north' }, async (host) => {
    await body(host);
    await host.kill('SIGKILL');
  });

test('a host that was killed is known to have seen what it had seen some seconds before', () =>
  withDataDir(async (dataDir) => {
    const files = () => readdir(join(dataDir, 'witness')).catch(() => []);
    const untilWritten = () => until(async () => (await files()).some((name) => name.endsWith('.json')));
    await runUntilKilled(dataDir, (host) => ordersOf(1)(host).then(untilWritten));
    const server = await startEmbeddedServer({ dataDir });
    await execute(server.url, goBackText);
    await server.stop();
    await run(dataDir, ({ url }) => until(async () => (await historyOf(url))?.status === 'Degraded'));
    assert.is((await query(dataDir, reportsText)).length, 1);
  }));

const goBackText = `SET session_replication_role = replica;
  DELETE FROM svc_system_events WHERE global_position >= (SELECT min(global_position) FROM svc_events);
  DELETE FROM svc_events`;
