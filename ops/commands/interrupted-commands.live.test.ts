import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/testing/until.js';
import { createOrder } from '../testing/order-load.js';
import { withFront } from '../testing/simulated-deployments.js';
import { type SpawnedCli, startCli, withOrders } from '../testing/spawned-host.js';

const test = suite('commands that are interrupted while they store what they begin');

/** The command waits for the table; the signal has arrived before the table is free again. */
async function interruptWhileStoring(
  owner: Database,
  table: string,
  start: () => SpawnedCli,
): Promise<SpawnedCli> {
  const session = await owner.session();
  try {
    await session.rows({ text: `BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE` });
    const command = start();
    // One that gives up a lock for a moment begins its transaction again.
    const storing = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
      AND (query LIKE 'INSERT INTO ${table}%' OR query LIKE 'BEGIN; SET LOCAL lock_timeout%' OR query = 'ROLLBACK')`;
    await until(async () => (await owner.rows({ text: storing }))[0]?.[0] !== '0');
    void command.kill('SIGINT');
    await until(() => command.output.stderr.join('').startsWith('svc: Interrupted; '));
    return command;
  } finally {
    await session.rows({ text: 'COMMIT' });
    session.release();
  }
}

test('a deployment is reverted', () =>
  withFront(async ({ start, states, owner, front }) => {
    const command = await interruptWhileStoring(owner, 'svc_deployments', () =>
      start(['canary', '--revision', '1.5.0', '--stage-time', '1h']),
    );
    assert.is((await command.ended).code, 1);
    assert.match(
      command.output.stderr.join(''),
      /^svc: Interrupted; the deployment is reverted\.\nsvc: The deployment of 1\.5\.0 was reverted to 1\.4\.2: the deploy command was interrupted\.\n$/,
    );
    assert.equal(await states(), [['1.5.0', 'reverted']]);
    assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
  }));

test('a rebuild by a host is cancelled', () =>
  withMigratedDatabase(async ({ url, connect }) =>
    withOrders({ DATABASE_URL: url, SVC_AUDIT: 'off' }, async (host) => {
      const owner = connect({ owner: true });
      for (let orders = 0; orders < 60; orders++) assert.is((await createOrder(host.url)).status, 200);
      // At this rate it takes a minute.
      const rebuild = ['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen', '--max-rate', '1'];
      const command = await interruptWhileStoring(owner, 'svc_rebuilds', () =>
        startCli(rebuild, { DATABASE_URL: url }),
      );
      assert.is((await command.ended).code, 1);
      assert.match(
        command.output.stderr.join(''),
        /^svc: Interrupted; the rebuild is cancelled\.\nsvc: The rebuild of order-summary was cancelled\.\n$/,
      );
      assert.equal(await owner.rows({ text: 'SELECT state FROM svc_rebuilds' }), [['cancelled']]);
    }),
  ));
