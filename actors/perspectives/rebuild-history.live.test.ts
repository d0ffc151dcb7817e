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
import { createPerspectiveTables } from '../../runtime/perspectives/create-tables.js';
import type { FoldRules } from '../../runtime/perspectives/fold.js';
import { PostgresPerspectiveStore } from '../../runtime/perspectives/postgres-perspective-store.js';
import { acquireRebuild } from '../../runtime/perspectives/rebuild-record.js';
import { requestRebuild } from '../../runtime/perspectives/rebuild-request.js';
import { RunningRebuild } from '../../runtime/perspectives/running-rebuild.js';
import { perspectiveTable } from '../../runtime/perspectives/perspective-table.js';
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
  /** All streams in one row, without late events. */
  readonly isGathered: boolean;
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
  isGathered: fc.boolean(),
});

let version = 0;

async function play(scene: Scene, { history: past, rebuilds, isGathered }: Played): Promise<void> {
  const { owner, database, log } = scene;
  let isMended = false;
  const apply = (model: Account, event: StoredEvent): Account | null => {
    const { amount } = event.payload as Booked;
    if (amount === 13 && !isMended) throw new RangeError('thirteen');
    return amount === 0 ? null : { amounts: [...model.amounts, amount], sum: model.sum + amount };
  };
  const streams = [newUuid(), newUuid()];
  const key = ({ streamId }: StoredEvent) => (streams.includes(streamId) ? 'all' : streamId);
  const { snapshotEvery, pageSize } = past;
  const perspective = accounts({
    apply,
    snapshotEvery,
    version: ++version,
    ...(isGathered ? { key, late: 'apply' as const } : {}),
  });
  const rules = { perspective, table: perspectiveTable(perspective) };
  await createPerspectiveTables(owner, [rules.table]);
  const store = new PostgresPerspectiveStore({ ...rules, database, owner: newUuid(), leaseMs: 1_000 });
  const runners = new Runners(rules, store, pageSize);
  const begun = Date.now() - 1_000_000;
  for (const [index, move] of past.moves.entries()) {
    if (move.do === 'append') {
      const at = begun + index * 2 - (isGathered ? 0 : move.lateBy);
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
  for (const id of isGathered ? ['all'] : streams)
    assert.equal(
      await keptIn(owner, rules.table.table, id),
      await expectedOf(owner, isGathered ? streams : [id]),
    );
}

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

async function expectedOf(
  owner: Database,
  streams: readonly string[],
): Promise<readonly number[] | undefined> {
  const order = streams.length === 1 ? 'occurred_at, stream_position' : 'global_position';
  const rows = await owner.rows({
    text: `SELECT data ->> 'amount' FROM svc_events WHERE stream_id = ANY($1) ORDER BY ${order}`,
    values: [streams],
  });
  const ordered = rows.map(([amount]) => Number(amount));
  const since = ordered.slice(ordered.lastIndexOf(0) + 1);
  return since.length === 0 ? undefined : since;
}

test('whatever arrives late, fails, dies or is rebuilt in any mode: the model is the fold of the events in order', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const scene = { owner: connect({ owner: true }), database: connect(), log: openStore() };
    const property = fc.asyncProperty(anyPlay, (one) => play(scene, one));
    await fc.assert(property, seedsWithin(6, 40, 15_000));
  }));
