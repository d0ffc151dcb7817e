import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { seedsWithin } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { createPerspectiveTables } from '../../runtime/perspectives/tables/create-tables.js';
import { PostgresPerspectiveStore } from '../../runtime/perspectives/postgres-perspective-store.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { type Account, accounts, booked, type Booked } from '../testing/accounts-perspective.js';
import { type Append, history, type Move, Runners } from '../testing/perspective-history.js';

const test = suite('perspective history on PostgreSQL');

interface Scene {
  readonly owner: Database;
  readonly database: Database;
  readonly log: PostgresStore;
}

interface Played {
  readonly moves: readonly Move[];
  readonly pageSize: number;
  readonly snapshotEvery: number;
}

let version = 0;

async function play(
  { owner, database, log }: Scene,
  { moves, pageSize, snapshotEvery }: Played,
): Promise<void> {
  let isMended = false;
  const apply = (model: Account, event: StoredEvent): Account | null => {
    const { amount } = event.payload as Booked;
    if (amount === 13 && !isMended) throw new RangeError('thirteen');
    return amount === 0 ? null : { amounts: [...model.amounts, amount], sum: model.sum + amount };
  };
  const perspective = accounts({ apply, snapshotEvery, version: ++version });
  const table = perspectiveTable(perspective);
  await createPerspectiveTables(owner, [table]);
  // Every run has its own table and begins where the previous one ended.
  await owner.rows({
    text: 'UPDATE svc_progress SET position = (SELECT coalesce(max(global_position), 0) FROM svc_events) WHERE name = $1',
    values: [table.table],
  });
  const rules = { perspective, table };
  const store = new PostgresPerspectiveStore({ ...rules, database, owner: newUuid() });
  const runners = new Runners(rules, store, pageSize);
  const streams = [newUuid(), newUuid()];
  const begun = Date.now() - 1_000_000;
  const add = async ({ stream, amount, lateBy }: Append, now: number): Promise<void> => {
    const occurredAt = new Date(begun + now - lateBy).toISOString();
    await log.append(streams[stream] ?? '', booked(amount), { occurredAt });
  };
  for (const [index, move] of moves.entries()) {
    if (move.do === 'append') await add(move, index * 2);
    else await runners.step(move);
  }
  isMended = true;
  await runners.finish();
  for (const stream of streams)
    assert.equal(await keptIn(owner, table.table, stream), await expectedOf(owner, stream));
}

async function keptIn(owner: Database, table: string, stream: string): Promise<unknown> {
  const [row] = await owner.rows({ text: `SELECT model FROM ${table} WHERE id = $1`, values: [stream] });
  return row === undefined ? undefined : (JSON.parse(row[0] ?? '') as Account).amounts;
}

async function expectedOf(owner: Database, stream: string): Promise<readonly number[] | undefined> {
  const rows = await owner.rows({
    text: "SELECT data ->> 'amount' FROM svc_events WHERE stream_id = $1 ORDER BY occurred_at, stream_position",
    values: [stream],
  });
  const ordered = rows.map(([amount]) => Number(amount));
  const since = ordered.slice(ordered.lastIndexOf(0) + 1);
  return since.length === 0 ? undefined : since;
}

test('in the database too, the model is the fold of the events in order', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const scene = { owner: connect({ owner: true }), database: connect(), log: openStore() };
    const played = fc.asyncProperty(history, (one) => play(scene, one));
    await fc.assert(played, seedsWithin(12, 60, 12_000));
  }));
