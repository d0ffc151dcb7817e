import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MigrationStatus, MigrationStrategy } from '../../contracts/migration.js';
import { RebuildMode } from '../../contracts/perspective.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { replayStep } from '../../runtime/migrations/background.js';
import { isPerspective } from '../../runtime/migrations/item.js';
import { record } from '../../runtime/migrations/ledger.js';
import { patienceDefaults } from '../../runtime/migrations/patience.js';
import { perspectiveItems } from '../../runtime/migrations/perspective-items.js';
import { replacePerspective } from '../../runtime/migrations/perspective-tables.js';
import type { MigrationStep } from '../../runtime/migrations/plan.js';
import { enterSchema } from '../../runtime/migrations/schema-session.js';
import { createPerspectiveTables } from '../../runtime/perspectives/create-tables.js';
import type { FoldRules } from '../../runtime/perspectives/fold.js';
import { PostgresPerspectiveStore } from '../../runtime/perspectives/postgres-perspective-store.js';
import { readModels } from '../../runtime/perspectives/read-models.js';
import { requestRebuild, type RebuildRequest } from '../../runtime/perspectives/rebuild-request.js';
import type { Telling } from '../../runtime/perspectives/rewind-events.js';
import { perspectiveTable } from '../../runtime/perspectives/table.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { booked } from '../testing/ledger.js';
import { type Life, live, mortalConnection } from '../testing/mortal-sessions.js';
import { Runners } from '../testing/perspective-history.js';
import { anyPlay, expectedOf, losesRows, type Play, playedPerspective } from '../testing/read-model-play.js';
import { carryOutRebuild } from './perspective-rebuild.js';

const test = suite('the rule for read models');

interface Scene {
  readonly owner: Database;
  readonly database: Database;
  readonly log: PostgresStore;
}

type Rows = Readonly<Record<string, readonly number[]>>;

/** What readers see of a perspective, and which state they are told. */
interface Seen {
  readonly rows: Rows;
  readonly state: string | undefined;
}

interface Ended {
  readonly isDone: boolean;
  /** What the system stream says of it. */
  readonly told: readonly string[];
  readonly isForced: boolean;
}

let plays = 0;
const ids = Array.from({ length: 4 }, () => newUuid());

async function play(scene: Scene, one: Play): Promise<void> {
  const { owner, database, log } = scene;
  const { type, perspective, code } = playedPerspective(++plays, ids);
  const first = perspective(1);
  const rules = { perspective: first, table: perspectiveTable(first) };
  await createPerspectiveTables(owner, [rules.table]);
  for (const [stream, amount] of one.events)
    await log.append(ids[stream] ?? '', { ...booked(amount), messageType: type });
  const store = new PostgresPerspectiveStore({ ...rules, database, owner: newUuid(), leaseMs: 1_000 });
  await new Runners(rules, store, 5).finish();
  await owner.rows({ text: "UPDATE svc_cursors SET lease_until = '-infinity'" });
  Object.assign(code, { bug: one.bug, factor: 10, calls: 0 });
  const next = one.way === 'version' ? perspective(2) : first;
  const served = { perspective: next, table: perspectiveTable(next) };
  const rule = ruleOf(one);
  const look = async (): Promise<Seen> => {
    const asked = {
      tenant: undefined,
      filters: new Map(),
      sort: [],
      newestFirst: false,
      limit: 99,
      offset: 0,
    };
    const { state } = await readModels(database).page(served.table, asked);
    const found: [string, readonly number[]][] = [];
    for (const id of ids) {
      const { model } = await readModels(database).one(served.table, id, undefined);
      if (model !== undefined) found.push([id, (JSON.parse(model) as { amounts: number[] }).amounts]);
    }
    return { rows: Object.fromEntries(found), state };
  };
  const check = async () => rule.between(await look());
  const ended =
    one.way === 'version'
      ? await migrated(scene, rules, served, one, check)
      : await rebuilt(scene, served, one, one.way, check);
  rule.after(await look(), ended);
}

/** Each process that carries it out dies, but for the last. */
async function rebuilt(
  { owner }: Scene,
  rules: FoldRules,
  { deaths, force, events }: Play,
  mode: RebuildMode,
  check: () => Promise<void>,
): Promise<Ended> {
  // By id: the store keeps a message once, however often it is told.
  const stored = new Map<Uuid, string>();
  let isForced = false;
  const streams = [...new Set(events.map(([stream]) => ids[stream] ?? ''))].sort();
  const wanted: RebuildRequest = {
    mode,
    force,
    ...(mode === RebuildMode.SelectedStreams ? { streams } : {}),
  };
  for (const left of [...deaths, Infinity]) {
    const life: Life = { left };
    const id: Uuid = await requestRebuild(owner, rules.table, wanted);
    const host = {
      ...rules,
      connection: mortalConnection(owner, life),
      tell: ({ id: of, message }: Telling) => {
        live(life);
        stored.set(of, message.constructor.name);
        isForced ||= (message as { forced?: boolean }).forced === true;
        return Promise.resolve();
      },
      report: () => undefined,
      progress: () => undefined,
    };
    try {
      await carryOutRebuild(host, id);
      return { isDone: true, told: [...stored.values()], isForced };
    } catch {
      if (life.isOver !== true) return { isDone: false, told: [...stored.values()], isForced };
      await check();
      await owner.rows({ text: "UPDATE svc_rebuilds SET lease_until = '-infinity' WHERE ended_at IS NULL" });
      await owner.rows({ text: "UPDATE svc_cursors SET lease_until = '-infinity'" });
    }
  }
  return assert.unreachable('the last one lives') as never;
}

/** As a batch leaves it to the background: the new table is there, and readers see the old one. */
async function migrated(
  scene: Scene,
  old: FoldRules,
  next: FoldRules,
  one: Play,
  check: () => Promise<void>,
): Promise<Ended> {
  const session = await scene.owner.session();
  await enterSchema(session);
  const versions = { library: '1.0.0', application: null };
  const stepOf = (rules: FoldRules, oldHash: string | null, becomes: MigrationStatus): MigrationStep => {
    const [item] = perspectiveItems([rules.perspective]);
    assert.ok(item);
    return {
      item,
      strategy: MigrationStrategy.EventReplay,
      oldHash,
      becomes,
      isLeftAlone: false,
      row: undefined,
    };
  };
  const applied = stepOf(old, null, MigrationStatus.Applied);
  await record(session, applied, { status: applied.becomes, description: 'applied' }, versions);
  const step = stepOf(next, old.table.hash, MigrationStatus.MigratingInBackground);
  assert.ok(isPerspective(step.item));
  await replacePerspective(
    step,
    step.item.target,
    { session, patience: patienceDefaults, progress: () => undefined },
    () => record(session, step, { status: step.becomes, description: 'replayed' }, versions),
  );
  session.release(true);
  await check();
  let ended: Ended = { isDone: false, told: [], isForced: false };
  const told = await replayStep(step, {
    batch: newUuid(),
    asOwner: (body) => body(scene.owner),
    signal: new AbortController().signal,
    replay: async () => {
      ended = await rebuilt(scene, next, one, RebuildMode.BlueGreen, check);
      await check();
      if (!ended.isDone) assert.unreachable('the replay failed');
    },
  });
  return { ...ended, told: [...ended.told, told?.constructor.name ?? ''] };
}

/** Readers see the old model or a complete new one, whatever happens; the events say which. */
function ruleOf(one: Play) {
  const { way, force, bug } = one;
  const shown = (rows: ReturnType<typeof expectedOf>): Rows =>
    Object.fromEntries(
      ids.flatMap((id, stream) => {
        const { amounts = [] } = rows.get(stream) ?? {};
        return amounts.length === 0 ? [] : [[id, amounts]];
      }),
    );
  const [before, after] = [expectedOf(one, { fails: 'never' }, 1), expectedOf(one, bug, 10)];
  const [old, next] = [shown(before), shown(after)];
  const isLossy = losesRows(before, after);
  const isWhole = ({ rows }: Seen) => isSame(rows, old) || ((force || !isLossy) && isSame(rows, next));
  // Each row by itself: as it was, or renewed as far as it can be folded.
  const isEach = ({ rows }: Seen) =>
    ids.every((id) => isSame(rows[id], old[id]) || isSame(rows[id], next[id])) &&
    (force || Object.keys(rows).length >= Object.keys(old).length);
  const isTransient = bug.fails === 'at first';
  return {
    between(seen: Seen): void {
      const isRight =
        way === RebuildMode.InPlace
          ? isWhole(seen) || seen.state === 'rebuilding'
          : way === RebuildMode.SelectedStreams
            ? isEach(seen)
            : isWhole(seen) || (isTransient && force);
      assert.ok(isRight, `meanwhile readers see ${JSON.stringify(seen)}`);
    },
    after(seen: Seen, { isDone, told, isForced }: Ended): void {
      const ends = told.filter((name) => /Completed|Failed/.test(name));
      const said = isDone ? 'Completed' : 'Failed';
      assert.ok(
        ends.length > 0 && ends.every((name) => name.endsWith(said)),
        `${said}, but told ${told.join(', ')}`,
      );
      assert.is(ends.length, way === 'version' ? 2 : 1);
      if (!isTransient) assert.is(isDone, force || !isLossy);
      if (!isTransient) assert.is(isForced, isDone && isLossy);
      if (isDone && !isForced && way !== RebuildMode.SelectedStreams)
        assert.equal(seen, { rows: next, state: undefined });
      if (isDone && isForced && !isTransient) assert.equal(seen.rows, next);
      if (isDone && way === RebuildMode.SelectedStreams && !isTransient) assert.ok(isEach(seen));
      if (isDone) return assert.is(seen.state, undefined);
      if (way === RebuildMode.InPlace) return assert.is(seen.state, 'incomplete');
      if (way === RebuildMode.SelectedStreams) return assert.ok(isEach(seen), JSON.stringify(seen));
      assert.equal(seen, { rows: old, state: undefined });
    },
  };
}

const isSame = (a: unknown, b: unknown): boolean => fc.stringify(a) === fc.stringify(b);

test('whatever apply does and whoever dies, readers see the old model or a complete new one, and the events say which', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const scene = { owner: connect({ owner: true }), database: connect(), log: openStore() };
    const runs = Number(process.env['SVC_TEST_RUNS'] ?? 0);
    const limits = runs > 0 ? { numRuns: runs } : { numRuns: 40, interruptAfterTimeLimit: 20_000 };
    await fc.assert(
      fc.asyncProperty(anyPlay, (one) => play(scene, one)),
      limits,
    );
  }));

test.run();
