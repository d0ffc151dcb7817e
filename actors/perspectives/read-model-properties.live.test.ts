import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { MigrationStatus, MigrationStrategy } from '../../contracts/migration.js';
import { RebuildMode } from '../../contracts/perspective.js';
import type { Uuid } from '../../contracts/scalars.js';
import { seedsWithin } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { replayStep } from '../../runtime/migrations/replay-in-background.js';
import { isPerspective } from '../../runtime/migrations/migration-item.js';
import { record } from '../../runtime/migrations/ledger.js';
import { lockRetryDefaults } from '../../runtime/database/lock-retry.js';
import { perspectiveItems } from '../../runtime/migrations/perspective-items.js';
import { replacePerspective } from '../../runtime/migrations/perspective-tables.js';
import type { MigrationStep } from '../../runtime/migrations/plan.js';
import { enterSchema } from '../../runtime/database/schema-session.js';
import { createPerspectiveTables } from '../../runtime/perspectives/tables/create-tables.js';
import type { FoldRules } from '../../runtime/perspectives/fold/fold.js';
import { PostgresPerspectiveStore } from '../../runtime/perspectives/postgres-perspective-store.js';
import { readModels } from '../../runtime/perspectives/reads/read-models.js';
import { requestRebuild, type RebuildRequest } from '../../runtime/perspectives/rebuild/rebuild-request.js';
import type { IdempotentMessage } from '../../runtime/perspectives/rewind/rewind-events.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { firstPage } from '../../runtime/testing/first-page.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { booked } from '../testing/accounts-perspective.js';
import { type StatementBudget, spend, crashingConnection } from '../testing/crashing-sessions.js';
import { Runners } from '../testing/perspective-history.js';
import {
  anyRebuildScenario,
  type RebuildScenario,
  scenarioPerspective,
} from '../testing/rebuild-scenarios.js';
import { type ScenarioEnd, propertiesOf, type ReaderView } from '../testing/read-model-properties.js';
import { runRebuild } from './perspective-rebuild.js';

const test = suite('read model properties');

interface Scene {
  readonly owner: Database;
  readonly database: Database;
  readonly log: PostgresStore;
}

/** The host that parked a row by force dies before it reports it; the next host has to. */
const diedAfterParking: RebuildScenario = {
  events: [[0, 1]],
  bug: { fails: 'always' },
  change: RebuildMode.SelectedStreams,
  force: true,
  crashesAfter: [34],
};

/** The same, and the failure is over when the next host folds the row. */
const parkedForAWhile: RebuildScenario = { ...diedAfterParking, bug: { fails: 'at first', calls: 3 } };

let plays = 0;
const ids = Array.from({ length: 4 }, () => newUuid());

async function play(scene: Scene, one: RebuildScenario): Promise<void> {
  const { owner, database, log } = scene;
  const { type, perspective, code } = scenarioPerspective(++plays, ids);
  const first = perspective(1);
  const rules = { perspective: first, table: perspectiveTable(first) };
  await createPerspectiveTables(owner, [rules.table]);
  for (const [stream, amount] of one.events)
    await log.append(ids[stream] ?? '', { ...booked(amount), messageType: type });
  const store = new PostgresPerspectiveStore({ ...rules, database, owner: newUuid() });
  await new Runners(rules, store, 5).finish();
  await owner.rows({ text: "UPDATE svc_leases SET lease_until = '-infinity'" });
  Object.assign(code, { bug: one.bug, factor: 10, calls: 0 });
  const next = one.change === 'version' ? perspective(2) : first;
  const served = { perspective: next, table: perspectiveTable(next) };
  const rule = propertiesOf(one, ids);
  const look = async (): Promise<ReaderView> => {
    const asked = { ...firstPage, limit: 99, count: 'none' } as const;
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
    one.change === 'version'
      ? await migrated(scene, rules, served, one, check)
      : await rebuilt(scene, served, one, one.change, check);
  rule.after(await look(), ended);
}

/** Each process that runs it dies, except the last. */
async function rebuilt(
  { owner }: Scene,
  rules: FoldRules,
  { crashesAfter, force, events }: RebuildScenario,
  mode: RebuildMode,
  check: () => Promise<void>,
): Promise<ScenarioEnd> {
  // By id: the store keeps a message once, however often it is emitted.
  const stored = new Map<Uuid, string>();
  let isForced = false;
  const streams = [...new Set(events.map(([stream]) => ids[stream] ?? ''))].sort();
  const request: RebuildRequest = {
    mode,
    force,
    ...(mode === RebuildMode.SelectedStreams ? { streams } : {}),
  };
  for (const left of [...crashesAfter, Infinity]) {
    const life: StatementBudget = { left };
    const id: Uuid = await requestRebuild(owner, rules.table, request);
    const host = {
      ...rules,
      connection: crashingConnection(owner, life),
      emit: ({ id: of, message }: IdempotentMessage) => {
        spend(life);
        stored.set(of, message.constructor.name);
        isForced ||= (message as { forced?: boolean }).forced === true;
        return Promise.resolve();
      },
      report: () => undefined,
      progress: () => undefined,
    };
    try {
      await runRebuild(host, id);
      return { isDone: true, eventTypes: [...stored.values()], isForced };
    } catch {
      if (life.isOver !== true) return { isDone: false, eventTypes: [...stored.values()], isForced };
      await check();
      await owner.rows({ text: "UPDATE svc_rebuilds SET lease_until = '-infinity' WHERE ended_at IS NULL" });
      await owner.rows({ text: "UPDATE svc_leases SET lease_until = '-infinity'" });
    }
  }
  return assert.unreachable('the last one lives') as never;
}

/** The state that a batch leaves to the background: the new table exists, and readers see the old one. */
async function migrated(
  scene: Scene,
  old: FoldRules,
  next: FoldRules,
  one: RebuildScenario,
  check: () => Promise<void>,
): Promise<ScenarioEnd> {
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
    { session, lockRetry: lockRetryDefaults, progress: () => undefined },
    () => record(session, step, { status: step.becomes, description: 'replayed' }, versions),
  );
  session.release(true);
  await check();
  let ended: ScenarioEnd = { isDone: false, eventTypes: [], isForced: false };
  const eventTypes = await replayStep(step, {
    batch: newUuid(),
    asOwner: (body) => body(scene.owner),
    signal: new AbortController().signal,
    replay: async () => {
      ended = await rebuilt(scene, next, one, RebuildMode.BlueGreen, check);
      await check();
      if (!ended.isDone) assert.unreachable('the replay failed');
    },
  });
  return { ...ended, eventTypes: [...ended.eventTypes, eventTypes?.constructor.name ?? ''] };
}

test('whatever apply does and whichever host dies, readers see the old model or a complete new one, and the events report which', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const scene = { owner: connect({ owner: true }), database: connect(), log: openStore() };
    const runs = Number(process.env['SVC_TEST_RUNS'] ?? 0);
    const limits = runs > 0 ? { numRuns: runs } : seedsWithin(8, 40, 20_000);
    await fc.assert(
      fc.asyncProperty(anyRebuildScenario, (one) => play(scene, one)),
      { ...limits, examples: [[diedAfterParking], [parkedForAWhile]] },
    );
  }));
