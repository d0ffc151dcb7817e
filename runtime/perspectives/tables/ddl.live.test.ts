import * as assert from 'uvu/assert';
import { EventAudited } from '../../../contracts/events/audited.js';
import type { EventStore } from '../../../contracts/event-store.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { suite } from '../../../contracts/testing/suite.js';
import { newUuid } from '../../../contracts/uuid.js';
import { withMigratedDatabase } from '../../testing/migrated-database.js';
import { createPerspectiveTables } from './create-tables.js';
import { perspectiveTable } from './perspective-table.js';

const test = suite('perspective tables in PostgreSQL');

const declared = (over: object = {}): AnyPerspective => ({
  name: 'order-summary',
  events: [EventAudited],
  initial: () => ({}),
  apply: (model) => model,
  columns: { total: { type: 'numeric', of: () => 1 } },
  ...over,
});

const nothing = { rows: [], deletes: [], forget: [], snapshots: [], parked: [], released: [], rewound: [] };
const row = (id: string, total: number) => ({
  id,
  model: { total },
  total,
  tenant: 'acme',
  position: 3,
  applied: 1,
});

/** A cursor moves only over positions that the log has. */
const fill = async (log: EventStore, count: number): Promise<void> => {
  const happened = { messageType: 'Happened', payload: {}, timestamp: '2026-03-01T00:00:00Z', v: 1 };
  for (let n = 0; n < count; n++) await log.append(newUuid(), { ...happened, messageId: newUuid() });
};

test('the tables are created once, however often it is requested, and read through the view', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    await fill(openStore(), 4);
    const owner = connect({ owner: true });
    const table = perspectiveTable(declared());
    await Promise.all([1, 2, 3].map(() => createPerspectiveTables(owner, [table])));
    const runtime = connect();
    const write = (from: number, to: number, batch: object) =>
      runtime.rows({
        text: `SELECT ${table.write}($1, $2, $3, $4)`,
        values: [newUuid(), from, to, JSON.stringify({ ...nothing, ...batch })],
      });
    assert.equal(await write(0, 3, { rows: [row('a', 12.5), row('b', 2)] }), [['t']]);
    assert.equal(await write(0, 3, { rows: [row('c', 1)] }), [['f']]);
    assert.equal(await write(3, 4, { deletes: ['b'] }), [['t']]);
    const text = `SELECT id, model, total, tenant, position FROM ${table.view}`;
    assert.equal(await owner.rows({ text }), [['a', '{"total": 12.5}', '12.5', 'acme', '3']]);
  }));

test('a host that starts and one that writes to the tables do not wait for each other', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const table = perspectiveTable(declared());
    await createPerspectiveTables(owner, [table]);
    const writer = await owner.session();
    try {
      await writer.rows({ text: 'BEGIN' });
      const values = [table.table];
      await writer.rows({ text: 'UPDATE svc_progress SET position = position WHERE name = $1', values });
      await createPerspectiveTables(owner, [table]);
      await writer.rows({ text: `DELETE FROM ${table.table}` });
      await writer.rows({ text: 'COMMIT' });
    } finally {
      writer.release(true);
    }
  }));

test('a batch from another log is not written: beyond the head of this log, or after an event that it lacks', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    await fill(openStore(), 2);
    const owner = connect({ owner: true });
    const table = perspectiveTable(declared());
    await createPerspectiveTables(owner, [table]);
    const [last] = await owner.rows({ text: 'SELECT event_id FROM svc_events WHERE global_position = 2' });
    const write = async (to: number, eventId?: string | null) => {
      const seen = eventId && { seen: { position: 2, event_id: eventId } };
      const values = [newUuid(), 0, to, JSON.stringify({ ...nothing, ...seen })];
      return (await owner.rows({ text: `SELECT ${table.write}($1, $2, $3, $4)`, values }))[0];
    };
    assert.equal(await write(3), ['f']);
    assert.equal(await write(2, newUuid()), ['f']);
    assert.equal(await write(2, last?.[0]), ['t']);
  }));

test('the runtime role may read a perspective, and write it only through its function', () =>
  withMigratedDatabase(async ({ connect }) => {
    const table = perspectiveTable(declared());
    await createPerspectiveTables(connect({ owner: true }), [table]);
    const text = `DELETE FROM ${table.table}`;
    const refused = await connect()
      .rows({ text })
      .then(
        () => '',
        (error: Error) => error.message,
      );
    assert.match(refused, /permission denied/);
  }));

test('the view shows the newest table, even when an older version of the service starts again', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const older = perspectiveTable(declared());
    const newer = perspectiveTable(declared({ version: 2, columns: {} }));
    for (const table of [older, newer, older]) await createPerspectiveTables(owner, [table]);
    const [definition] = await owner.rows({ text: `SELECT pg_get_viewdef('${older.view}'::regclass)` });
    assert.match(definition?.[0] ?? '', newer.table);
  }));

test('five snapshots of a key are kept, and none after an invalidated point', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    await fill(openStore(), 2);
    const owner = connect({ owner: true });
    const table = perspectiveTable(declared());
    await createPerspectiveTables(owner, [table]);
    const store = newUuid();
    const snapshots = Array.from({ length: 8 }, (_, n) => ({
      key: 'a',
      at: 100 + n,
      store,
      stream_position: n + 1,
      global_position: n + 1,
      event_id: newUuid(),
      model: {},
      tenant: null,
      applied: n + 1,
    }));
    const write = (from: number, batch: object) =>
      owner.rows({
        text: `SELECT ${table.write}($1, $2, $3, $4)`,
        values: [store, from, from + 1, JSON.stringify({ ...nothing, ...batch })],
      });
    const kept = async () =>
      (await owner.rows({ text: `SELECT at FROM ${table.snapshots} ORDER BY at` })).map(([at]) => Number(at));
    await write(0, { snapshots });
    assert.equal(await kept(), [103, 104, 105, 106, 107]);
    await write(1, { forget: [{ key: 'a', at: 105, store, stream_position: 0 }] });
    assert.equal(await kept(), [103, 104]);
  }));
