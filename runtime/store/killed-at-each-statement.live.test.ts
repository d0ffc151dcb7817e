import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { HeldCursor } from '../../contracts/unit-lists.js';
import type { StagedEvent, Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import { postgresReactionStore } from '../reactions/postgres-reaction-store.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { until } from '../kit/until.js';

const test = suite('a commit that is killed');

const message = (messageType: string) => ({
  messageId: newUuid(),
  messageType,
  payload: {},
  timestamp: '2026-03-01T09:30:00Z',
  v: 1 as const,
});

/** It writes to every table that a commit may write to. */
function everything(cursor: HeldCursor, n: number): Unit {
  const event: StagedEvent = { streamId: newUuid(), envelope: message('Happened') };
  const due = { due: { inMs: 1000 }, data: {}, context: {}, again: 'keep' as const };
  const aside = { next: n, state: 'retrying' as const, attempts: 0, retryInMs: 0, error: null };
  const process = { revision: 0, version: 1, state: 'new', status: 'running' as const };
  return {
    events: [event, { streamId: newUuid(), envelope: message('Happened') }],
    records: [{ envelope: message('Recorded'), of: event, publish: true }],
    expected: new Map([[event.streamId, 0]]),
    outcome: { key: Buffer.of(n), fingerprint: Buffer.of(n), status: 200, body: '{}' },
    lists: {
      handled: [{ cursor, position: n, key: `handled-${n}` }],
      aside: [{ cursor, key: `aside-${n}`, from: 0, ...aside }],
      timers: [{ id: newUuid(), kind: 'command', name: 'reminder', key: `o-${n}`, ...due }],
      ended: [{ id: newUuid() }],
      reservations: [{ key: newUuid(), name: 'email', owner: `ada-${n}`, take: true }],
      processes: [{ name: 'fulfilment', key: `o-${n}`, ...process, snapshot: {}, trail: [] }],
    },
  };
}

/** A commit waits at its first statement that writes to one of these. */
const tables = [
  ...['svc_idempotency', 'svc_progress', 'svc_stuck_work', 'svc_timers', 'svc_reservations', 'svc_processes'],
  ...['svc_events_0', 'svc_system_events_0', 'svc_flushes'],
];

const counts = `SELECT (SELECT count(*) FROM svc_events), (SELECT count(*) FROM svc_system_events),
  (SELECT count(*) FROM svc_idempotency), (SELECT cardinality(done) FROM svc_progress WHERE name = 'line'), (SELECT count(*) FROM svc_stuck_work),
  (SELECT count(*) FROM svc_timers), (SELECT count(*) FROM svc_reservations), (SELECT count(*) FROM svc_processes)`;

test('at any of its statements is sent again, and all of it is stored once', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const owner = connect({ owner: true });
    const { epoch } = await postgresReactionStore(connect()).takeCursor('line', 'beginning');
    const cursor: HeldCursor = { name: 'line', epoch, settledTo: () => 0 };
    const store = openStore('victim');
    const waiting = `FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE NOT l.granted AND l.locktype = 'relation' AND a.application_name = 'victim' AND a.datname = current_database()`;
    for (const [n, table] of tables.entries()) {
      const holder = await owner.session();
      await holder.rows({ text: `BEGIN; LOCK TABLE ${table} IN SHARE MODE` });
      const unit = everything(cursor, n + 1);
      const committed = store.commit(unit);
      try {
        const waits = async () => (await owner.rows({ text: `SELECT pid ${waiting}` }))[0]?.[0];
        await until(async () => (await waits()) !== undefined);
        const [killed, before] = [await waits(), await owner.rows({ text: counts })];
        await owner.rows({ text: 'SELECT pg_terminate_backend($1)', values: [killed] });
        await until(async () => ![undefined, killed].includes(await waits()));
        assert.equal(await owner.rows({ text: counts }), before, `nothing of it stays: ${table}`);
      } finally {
        // Or the commit would wait forever.
        await holder.rows({ text: 'COMMIT' });
        holder.release();
      }
      await committed;
      assert.equal(
        unit.events.map(({ globalPosition }) => globalPosition),
        [3 * n + 1, 3 * n + 2],
        table,
      );
    }
    const [all, twice] = [tables.length, 2 * tables.length].map(String);
    assert.equal(await owner.rows({ text: counts }), [[twice, all, all, all, all, all, all, all]]);
    assert.ok((await verifyChain(owner)).ok);
  }));
