import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { postgresReactionStore } from '../../runtime/reactions/postgres-reaction-store.js';
import { StagedStep } from '../../runtime/unit/staged-step.js';
import { StoreWitness } from '../../runtime/store/store-witness.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { until } from '../../runtime/kit/until.js';
import {
  countIn,
  faultsIn,
  noFaults,
  placeOrders,
  reserved,
  withReactionHosts,
} from '../testing/reaction-hosts.js';

const test = suite('reactions of a store that went back in time');

const headOf = (owner: Database): Promise<number> =>
  countIn(owner, '(SELECT FROM svc_events UNION ALL SELECT FROM svc_system_events) g');

/** As if all hosts were connected to a server that lacks what came after the position. No commit comes in between. */
async function goBackTo(owner: Database, position: number): Promise<void> {
  await owner.rows({
    text: `SELECT svc_lock_log();
      SET session_replication_role = replica;
      DELETE FROM svc_events WHERE global_position > ${position};
      DELETE FROM svc_system_events WHERE global_position > ${position};
      UPDATE svc_progress SET position = least(position, ${position}), done = '{}';
      UPDATE svc_epochs SET timeline = '0000000A';
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
      SET session_replication_role = DEFAULT`,
  });
}

test('an epoch that was lost with its server is not given out again', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const store = postgresReactionStore(owner);
    const { epoch: kept } = await store.takeCursor('reaction/line/0', 'head');
    const { epoch: lost } = await store.takeCursor('reaction/line/0', 'head');
    await owner.rows({ text: 'UPDATE svc_progress SET epoch = $1', values: [kept] });
    const { epoch: taken } = await store.takeCursor('reaction/line/0', 'head');
    assert.is(new Set([kept, lost, taken]).size, 3);
  }));

test('who held a cursor before the server was replaced can no longer commit with it', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const owner = connect({ owner: true });
    const { epoch } = await postgresReactionStore(owner).takeCursor('reaction/line/0', 'head');
    const cursor = { name: 'reaction/line/0', epoch, settledTo: () => 0 };
    const store = openStore();
    const handle = (position: number) =>
      store.commit(new StagedStep().unit({ handled: [{ cursor, position, key: 'k' }] }));
    await handle(1);
    await owner.rows({ text: "UPDATE svc_epochs SET timeline = '0000000A'" });
    await new StoreWitness({ host: 'north', acceptsLoss: true }).start(owner);
    assert.is((await thrownBy(() => handle(2))).code, 'overtaken');
  }));

test('a host that has read further than the store handles what comes at the same positions', () =>
  withReactionHosts(async ({ owner, store, start }) => {
    start();
    await placeOrders(store, 12);
    await until(async () => (await countIn(owner, reserved)) === 12);
    const head = await headOf(owner);
    await placeOrders(store, 48, (n) => String(n + 12));
    await until(async () => (await countIn(owner, reserved)) === 60);
    const lostTo = await headOf(owner);
    await goBackTo(owner, head);
    await until(() =>
      placeOrders(store, 1, () => '100').then(
        () => true,
        () => false,
      ),
    );
    await until(async () => (await countIn(owner, reserved)) === 13);
    assert.ok((await headOf(owner)) < lostTo, 'the log has not passed what the host has read');
    assert.equal(await faultsIn(owner, 13), noFaults);
  }));
