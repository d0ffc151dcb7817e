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
import { patienceDefaults } from '../../runtime/database/patience.js';
import { perspectiveItems } from '../../runtime/migrations/perspective-items.js';
import { replacePerspective } from '../../runtime/migrations/perspective-tables.js';
import type { MigrationStep } from '../../runtime/migrations/plan.js';
import { enterSchema } from '../../runtime/database/schema-session.js';
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
import { anyPlay, type Play, playedPerspective } from '../testing/read-model-play.js';
import { type Ended, ruleOf, type Seen } from '../testing/read-model-rule.js';
import { carryOutRebuild } from './perspective-rebuild.js';

const test = suite('the rule for read models');

interface Scene {
  readonly owner: Database;
  readonly database: Database;
  readonly log: PostgresStore;
}

/** The host that parked a row by force dies before it says so; the one that goes on has to. */
const diedAfterParking: Play = {
  events: [[0, 1]],
  bug: { fails: 'always' },
  way: RebuildMode.SelectedStreams,
  force: true,
  deaths: [34],
};

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
  const rule = ruleOf(one, ids);
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

test('whatever apply does and whoever dies, readers see the old model or a complete new one, and the events say which', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const scene = { owner: connect({ owner: true }), database: connect(), log: openStore() };
    const runs = Number(process.env['SVC_TEST_RUNS'] ?? 0);
    const limits = runs > 0 ? { numRuns: runs } : { numRuns: 40, interruptAfterTimeLimit: 20_000 };
    await fc.assert(
      fc.asyncProperty(anyPlay, (one) => play(scene, one)),
      { ...limits, examples: [[diedAfterParking]] },
    );
  }));

test.run();
