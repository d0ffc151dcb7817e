import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../database/connect.js';
import { openDatabase } from '../database/database.js';
import { execute } from '../kit/database.js';
import { until } from '../kit/until.js';
import { migrate } from '../migrations/migrate.js';
import { awaitStandby } from '../testing/awaited-standby.js';
import { withLogicalServers } from '../testing/logical-servers.js';
import { rowsOf } from '../testing/rows-of.js';
import { testRecorder } from '../testing/small-segments.js';
import { copiedTables } from './copied-tables.js';
import { resumeMove } from './end-move.js';
import { type MoveEnds, withMoveEnds } from './move-ends.js';
import { moveStore } from './move-store.js';
import { prepareTarget } from './prepare-target.js';
import { isReplicating, replicate, untilCaughtUp } from './replication.js';
import { startReplication } from './start-replication.js';
import { switchOver } from './switch-over.js';

const test = suite('the replication of a move');

const ports = {
  by: () => Promise.resolve({ operator: { ...testRecorder, changedBy: 'ann' } }),
  progress: () => undefined,
};

const tables = ['before', 'slow', 'after', 'never', 'probe'];

/** A store with empty tables, and a target that has its schema. */
const withPrepared = (
  body: (scene: {
    readonly ends: MoveEnds;
    readonly source: string;
    readonly target: string;
  }) => Promise<void>,
): Promise<void> =>
  withLogicalServers(async ({ urls: [source, target] }) => {
    await migrate({ ownerUrl: source });
    for (const table of tables) await execute(source, `CREATE TABLE ${table} (id serial PRIMARY KEY)`);
    await withMoveEnds(source, target, async (ends) => {
      await prepareTarget(ends);
      await execute(
        source,
        `INSERT INTO svc_move(state, other, url) VALUES ('copying', '${ends.target.address}', '${target}')`,
      );
      await body({ ends, source, target });
    });
  });

const copyAll = async (ends: MoveEnds): Promise<void> => {
  await replicate(ends, await copiedTables(ends.source.database), () => undefined);
  await untilCaughtUp(ends);
};

/** What the slot waits for; a mover that waits until a commit is visible. */
const awaited = `SELECT transactionid FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`;
const watching = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc-move' AND query LIKE '%pg_snapshot_xmin%'`;
const inCommit = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
const subscribing = `SELECT 1 FROM pg_locks WHERE relation = 'pg_subscription'::regclass AND NOT granted`;

test('a table that is empty is not copied, and a row that is written meanwhile is never lost: before the slot, unseen at its start, or before the subscription', () =>
  withPrepared(async ({ ends, source, target }) => {
    const found = (url: string, text: string) =>
      until(async () => (await rowsOf(url, text)).length > 0, 20_000);
    const clients = await Promise.all([
      connect(source),
      connect(source),
      connect(source),
      connect(source),
      connect(target),
    ]);
    const [early, middle, slow, probe, there] = clients;
    try {
      for (const client of [early, middle]) await client.query('SET synchronous_commit = local');
      await there.query('BEGIN; LOCK pg_subscription IN SHARE ROW EXCLUSIVE MODE');
      await early.query('BEGIN; INSERT INTO before VALUES (1)');
      const started = startReplication(ends);
      await found(source, awaited);
      await middle.query('BEGIN');
      const {
        rows: [{ xid } = { xid: '' }],
      } = await middle.query<{ readonly xid: string }>('SELECT pg_current_xact_id()::text AS xid');
      await early.query('COMMIT');
      // Now it waits for what has begun meanwhile. It will leave out what commits before this ends.
      await until(async () => (await rowsOf(source, awaited)).some(([id]) => id === xid));
      await awaitStandby(source, 'nobody');
      let probed = Promise.resolve<unknown>(undefined);
      // Commits wait a moment after the server was asked to make them wait.
      await until(async () => {
        if ((await rowsOf(source, inCommit)).length > 0) return true;
        probed = probe.query('INSERT INTO probe DEFAULT VALUES');
        await Promise.race([probed, found(source, inCommit)]);
        return false;
      });
      const committed = slow.query('INSERT INTO slow VALUES (1)');
      await until(async () => (await rowsOf(source, inCommit)).length === 2);
      await middle.query('COMMIT');
      await found(source, watching);
      assert.equal(await rowsOf(source, 'SELECT * FROM slow'), []);
      await awaitStandby(source, '');
      await Promise.all([probed, committed]);
      await found(target, subscribing);
      await execute(source, 'INSERT INTO after VALUES (1)');
      await there.query('COMMIT');
      await started;
      const ready = await rowsOf(
        target,
        `SELECT srrelid::regclass::text FROM pg_subscription_rel WHERE srsubstate = 'r'`,
      );
      const names = ready.map(([name]) => name);
      assert.ok(names.length > 40, String(names.length));
      assert.equal(
        tables.filter((table) => names.includes(table)),
        ['after', 'never'],
      );
      await copyAll(ends);
      for (const table of ['before', 'slow', 'after'])
        assert.equal(await rowsOf(target, `SELECT * FROM ${table}`), [['1']], table);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  }));

test('when the server has removed WAL that was still to be sent, the move says so, and a resumed one begins again', () =>
  withPrepared(async ({ ends, source, target }) => {
    await execute(source, "ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
    await execute(source, 'SELECT pg_reload_conf()');
    await startReplication(ends);
    await copyAll(ends);
    await execute(target, 'ALTER SUBSCRIPTION svc_move DISABLE');
    for (let id = 0; await isReplicating(ends); id++) {
      await execute(source, `INSERT INTO never VALUES (${id})`);
      await execute(source, 'SELECT pg_switch_wal()');
      await execute(source, 'CHECKPOINT');
      assert.ok(id < 100);
    }
    await execute(target, 'ALTER SUBSCRIPTION svc_move ENABLE');
    const stopped = await untilCaughtUp(ends).then(() => 'caught up', String);
    assert.match(stopped, 'has removed WAL that is still needed');
    await resumeMove(source, ports);
    assert.equal(
      await rowsOf(target, 'SELECT count(*) FROM never'),
      await rowsOf(source, 'SELECT count(*) FROM never'),
    );
  }));

test('a transaction that writes for long is named, and not ended: the copy does not begin, or writers continue', () =>
  withPrepared(async ({ ends, source }) => {
    const early = await connect(source);
    const impatient = openDatabase({ url: source, statementTimeoutMs: 1_000 });
    try {
      await early.query('BEGIN; INSERT INTO slow VALUES (0)');
      const stopped = await startReplication({
        ...ends,
        source: { ...ends.source, database: impatient },
      }).then(() => '', String);
      assert.match(stopped, /A copy begins when every transaction that was writing has ended/);
      await early.query('COMMIT');
    } finally {
      await Promise.all([early.end(), impatient.close()]);
    }
    await startReplication(ends);
    await copyAll(ends);
    const writer = await connect(source);
    try {
      await writer.query('BEGIN; INSERT INTO slow VALUES (1)');
      assert.is(await switchOver(ends), 'a transaction was writing for too long');
      await writer.query('COMMIT');
    } finally {
      await writer.end();
    }
  }));

/** Before version 16, it takes a superuser. */
const mayCreateSubscription = `DO $$ BEGIN
  IF current_setting('server_version_num')::int < 160000 THEN ALTER ROLE keeper SUPERUSER; ELSE GRANT pg_create_subscription TO keeper; END IF;
END $$`;

test('a move needs no superuser, and refuses a table of which its role sees a part', () =>
  withLogicalServers(async ({ urls }) => {
    const [source, target] = urls;
    for (const [url, attribute] of [
      [source, 'REPLICATION'],
      [target, 'NOREPLICATION'],
    ] as const) {
      await execute(
        url,
        `CREATE ROLE svc_runtime NOLOGIN; CREATE ROLE keeper LOGIN PASSWORD 'kept' ${attribute} IN ROLE svc_runtime`,
      );
      await execute(url, 'ALTER DATABASE svc OWNER TO keeper');
    }
    await execute(target, mayCreateSubscription);
    const keeper = (url: string) =>
      Object.assign(new URL(url), { username: 'keeper', password: 'kept' }).href;
    await migrate({ ownerUrl: keeper(source) });
    await execute(keeper(source), 'CREATE TABLE secret (id int PRIMARY KEY); INSERT INTO secret VALUES (1)');
    await execute(keeper(source), 'ALTER TABLE secret ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY');
    const moved = () => moveStore(keeper(source), keeper(target), ports).then(({ to }) => to, String);
    assert.match(await moved(), /Row-level security hides rows of secret from this role/);
    await execute(keeper(source), 'ALTER TABLE secret NO FORCE ROW LEVEL SECURITY');
    assert.is(await moved(), `127.0.0.1:${new URL(target).port}/svc`);
    assert.equal(await rowsOf(target, 'SELECT * FROM secret'), [['1']]);
    assert.equal(await rowsOf(target, 'SELECT count(*), max(epoch) FROM svc_store, svc_epochs'), [
      ['2', '2'],
    ]);
  }));
