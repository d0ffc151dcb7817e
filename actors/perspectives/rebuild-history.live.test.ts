import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { RebuildMode } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { seedsWithin } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { createPerspectiveTables } from '../../runtime/perspectives/tables/create-tables.js';
import type { FoldRules } from '../../runtime/perspectives/fold/fold.js';
import { PostgresPerspectiveStore } from '../../runtime/perspectives/postgres-perspective-store.js';
import { acquireRebuild } from '../../runtime/perspectives/rebuild/rebuild-record.js';
import { requestRebuild } from '../../runtime/perspectives/rebuild/rebuild-request.js';
import { RunningRebuild } from '../../runtime/perspectives/rebuild/running-rebuild.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { strategyOf } from './rebuild-strategy.js';
import { type Account, accounts, booked, type Booked } from '../testing/accounts-perspective.js';
import { crashingSession } from '../testing/crashing-sessions.js';
import { history, type Move, Runners } from '../testing/perspective-history.js';

const test = suite('rebuild history');

/** A rebuild that dies after this many statements, wherever that is; the next one of its mode continues it. */
interface Rebuild {
  readonly mode: RebuildMode;
  readonly statements: number;
}

interface Scene {
  readonly owner: Database;
  readonly database: Database;
  readonly log: PostgresStore;
}

interface Played {
  readonly history: {
    readonly moves: readonly Move[];
    readonly pageSize: number;
    readonly snapshotEvery: number;
  };
  readonly rebuilds: readonly (Rebuild & { readonly after: number })[];
  /** Of one stream, of all streams, or several of each event, by the bits of its amount; late events only in the first. */
  readonly rows: 'stream' | 'gathered' | 'several';
}

const anyPlay = fc.record({
  history,
  rebuilds: fc.array(
    fc.record({
      mode: fc.constantFrom(...Object.values(RebuildMode)),
      statements: fc.oneof(fc.nat(60), fc.constant(Infinity)),
      after: fc.nat(100),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  rows: fc.constantFrom('stream' as const, 'gathered' as const, 'several' as const),
});

let version = 0;

async function play(scene: Scene, { history: past, rebuilds, rows }: Played): Promise<void> {
  const { owner, database, log } = scene;
  let isMended = false;
  const apply = (model: Account, event: StoredEvent, row: string): Account | null => {
    const { amount } = event.payload as Booked;
    if (amount === 13 && row !== 'a' && !isMended) throw new RangeError('thirteen');
    return amount === 0 ? null : { amounts: [...model.amounts, amount], sum: model.sum + amount };
  };
  const streams = [newUuid(), newUuid()];
  const key = ({ streamId, payload }: StoredEvent): string | readonly string[] => {
    if (!streams.includes(streamId)) return rows === 'several' ? [] : streamId;
    const { amount } = payload as Booked;
    if (rows === 'several' && amount === 11 && !isMended) throw new RangeError('eleven');
    return rows === 'several' ? rowNames.filter((name) => isIn(name, amount)) : 'all';
  };
  const { snapshotEvery, pageSize } = past;
  const perspective = accounts({
    apply,
    snapshotEvery,
    version: ++version,
    ...(rows === 'stream' ? {} : { key, late: 'apply' as const }),
  });
  const rules = { perspective, table: perspectiveTable(perspective) };
  await createPerspectiveTables(owner, [rules.table]);
  const store = new PostgresPerspectiveStore({ ...rules, database, owner: newUuid() });
  const runners = new Runners(rules, store, pageSize);
  const begun = Date.now() - 1_000_000;
  for (const [index, move] of past.moves.entries()) {
    if (move.do === 'append') {
      const at = begun + index * 2 - (rows === 'stream' ? move.lateBy : 0);
      const options = { occurredAt: new Date(at).toISOString() };
      await log.append(streams[move.stream] ?? '', booked(move.amount), options);
    } else await runners.step(move);
    for (const rebuild of rebuilds.filter(({ after }) => after === index))
      await runStep(scene, rules, rebuild, streams);
  }
  const last = rebuilds.filter(({ after }) => after >= past.moves.length);
  for (const rebuild of last) await runStep(scene, rules, rebuild, streams);
  isMended = true;
  await runners.finish();
  const ids = { stream: streams, gathered: ['all'], several: rowNames }[rows];
  for (const id of ids) {
    const amounts = await bookedIn(owner, rows === 'stream' ? [id] : streams);
    const own = rows === 'several' ? amounts.filter((amount) => isIn(id, amount)) : amounts;
    assert.equal(await keptIn(owner, rules.table.table, id), sinceClosed(own));
  }
}

const rowNames = ['a', 'b', 'c'];

const isIn = (row: string, amount: number): boolean => (amount >> rowNames.indexOf(row)) % 2 === 1;

async function runStep({ owner }: Scene, rules: FoldRules, { mode, statements }: Rebuild, streams: Uuid[]) {
  const known = await owner.rows({
    text: 'SELECT DISTINCT stream_id FROM svc_events WHERE stream_id = ANY($1) AND global_position <= (SELECT position FROM svc_progress WHERE name = $2)',
    values: [streams, rules.table.table],
  });
  const chosen = known.map(([stream]) => stream ?? '').sort();
  if (mode === RebuildMode.SelectedStreams && chosen.length === 0) return;
  const request = { mode, ...(mode === RebuildMode.SelectedStreams ? { streams: chosen } : {}) };
  const worker = newUuid();
  const record = await acquireRebuild(owner, await requestRebuild(owner, rules.table, request), worker);
  assert.ok(record);
  const life = { left: statements };
  const [writer, reader] = [
    crashingSession(await owner.session(), life),
    crashingSession(await owner.session(), life),
  ];
  try {
    const { signal } = new AbortController();
    const run = new RunningRebuild({
      limits: { page: 3, rows: 1, parts: 2 },
      ...rules,
      record,
      worker,
      writer,
      reader,
      signal,
      failed: () => undefined,
    });
    const rebuild = strategyOf(run, { report: () => undefined, emit: () => Promise.resolve() });
    try {
      await rebuild.prepare();
      await rebuild.replay();
      await rebuild.verify?.();
      await rebuild.swap?.();
      await run.update({ state: 'done', isEnded: true });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'rebuild-failed') throw error;
      await rebuild.abandon?.();
      await run.update({ state: 'failed', isEnded: true });
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'died') throw error;
  } finally {
    writer.release(true);
    reader.release(true);
    await owner.rows({ text: "UPDATE svc_rebuilds SET lease_until = '-infinity'" });
    await owner.rows({ text: "UPDATE svc_leases SET lease_until = '-infinity'" });
  }
}

async function keptIn(owner: Database, table: string, id: string): Promise<unknown> {
  const [row] = await owner.rows({ text: `SELECT model FROM ${table} WHERE id = $1`, values: [id] });
  return row === undefined ? undefined : (JSON.parse(row[0] ?? '') as Account).amounts;
}

async function bookedIn(owner: Database, streams: readonly string[]): Promise<readonly number[]> {
  const order = streams.length === 1 ? 'occurred_at, stream_position' : 'global_position';
  const rows = await owner.rows({
    text: `SELECT data ->> 'amount' FROM svc_events WHERE stream_id = ANY($1) ORDER BY ${order}`,
    values: [streams],
  });
  return rows.map(([amount]) => Number(amount));
}

function sinceClosed(amounts: readonly number[]): readonly number[] | undefined {
  const since = amounts.slice(amounts.lastIndexOf(0) + 1);
  return since.length === 0 ? undefined : since;
}

test('whatever arrives late, fails, dies or is rebuilt in any mode: the model is the fold of the events in order', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const scene = { owner: connect({ owner: true }), database: connect(), log: openStore() };
    const property = fc.asyncProperty(anyPlay, (one) => play(scene, one));
    await fc.assert(property, seedsWithin(6, 40, 15_000));
  }));
