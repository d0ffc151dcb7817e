import type { Uuid } from '../../../contracts/scalars.js';
import { newUuid } from '../../../contracts/uuid.js';
import type { Database } from '../../../runtime/database/database.js';
import { openPostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { sets } from '../../../runtime/testing/unit-lists/units.js';
import { commandTimer } from '../../../runtime/timers/command-timer.js';
import { holdsWithin } from '../scenarios/scenario.js';
import { Charge, Tick } from './effect-commands.js';
import { countOutcomes } from './effect-load.js';
import type { EffectScenario } from './effect-scenario.js';
import { hostNames, type HostSettings } from './effect-scene.js';

interface LongLane {
  /** In one lane. */
  readonly requests: number;
  /** Timers that fire before, and again beside it; 50 a second. */
  readonly ticks: number;
  /** So soon the others end; unset: before the long lane does. */
  readonly withinMs?: number;
  readonly settings: HostSettings;
}

const lanes = Array.from({ length: 200 }, newUuid);
const perLane = 3;
const everyMs = 20;
const settleWithinMs = 120_000;
const mostLater = 1.1;
/** Between two looks for timers. */
const lookMs = 20;

/** Few requests of many lanes do not wait behind the many of one, and timers do not either; then a host is killed. */
export const longLane = ({ requests, ticks, withinMs = Infinity, settings }: LongLane): EffectScenario => ({
  afterMs: { charge: 5 },
  settings,
  leavesSome: true,
  play: async ({ load, database, hosts }, { printProgress }) => {
    await load.askFor(Charge, lanes, lanes.length);
    const grows = async (by: number) => {
      const before = await countOutcomes(database);
      return holdsWithin(
        'calls continue',
        settleWithinMs,
        async () => (await countOutcomes(database)) >= before + by,
      );
    };
    await holdsWithin(
      'hosts call',
      settleWithinMs,
      async () => (await countOutcomes(database)) >= lanes.length,
    );
    const before = await lateTicks(database, ticks);
    printProgress(`${requests} requests of one lane`);
    await load.askFor(Charge, [newUuid()], requests);
    await grows(perLane);
    const [beside, { lastMs, left }] = await Promise.all([
      lateTicks(database, ticks),
      askedToLast(database, () => load.askFor(Charge, lanes, perLane * lanes.length)),
    ]);
    await hosts.get(hostNames[0] ?? '')?.kill();
    const continued = await grows(perLane * 10);
    return {
      faults: 1,
      figures: { quietLastMs: lastMs, leftInLongLane: left, timersP99Ms: before, timersBesideP99Ms: beside },
      promises: [
        { promise: 'few requests of many lanes are called soon', kept: lastMs <= withinMs, ms: lastMs },
        {
          promise: 'timers fire as before',
          kept: withinMs === Infinity || beside <= mostLater * before + lookMs,
          ms: beside,
        },
        { promise: 'the long lane waits meanwhile', kept: left >= requests / 4 },
        continued,
      ],
    };
  },
});

/** How late timers are stored that are due one after the other, in milliseconds: p99. */
async function lateTicks(database: Database, count: number): Promise<number> {
  const account = newUuid();
  // By then all are set.
  const from = Date.now() + 5_000;
  const store = openPostgresStore(database, { host: 'ticking' });
  try {
    const timers = Array.from({ length: count }, (_, n) => tick(account, from + n * everyMs));
    await Promise.all(timers.map((timer) => store.commit(sets(timer))));
  } finally {
    await store.close();
  }
  const late = async (): Promise<readonly (string | null)[]> => {
    const text = `SELECT count(*), percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM recorded_at) * 1000 - (data ->> 'dueMs')::float8)
      FROM svc_events WHERE stream_id = $1`;
    return (await database.rows({ text, values: [account] }))[0] ?? [];
  };
  await holdsWithin(
    'timers fire',
    count * everyMs + settleWithinMs,
    async () => Number((await late())[0]) === count,
  );
  return Math.round(Number((await late())[1]));
}

const tick = (account: Uuid, dueMs: number): ReturnType<typeof commandTimer> =>
  commandTimer(
    Tick.of({ account, dueMs }),
    { at: new Date(dueMs).toISOString() },
    { causationId: account, correlationId: account },
  );

/** From asking for what the lanes have in turn to the last outcome, in milliseconds, and how many requests wait then. */
async function askedToLast(database: Database, ask: () => Promise<void>) {
  const from = Date.now();
  await ask();
  const text = `SELECT count(*), extract(epoch FROM max(recorded_at)) * 1000, (SELECT count(*) FROM svc_timers WHERE kind = 'effect')
    FROM svc_events WHERE stream_id = ANY($1) AND event_type = 'Charged'`;
  const stored = async () => (await database.rows({ text, values: [lanes] }))[0] ?? [];
  const all = lanes.length * (perLane + 1);
  await holdsWithin(
    'few requests of many lanes end',
    settleWithinMs,
    async () => Number((await stored())[0]) >= all,
  );
  const [, last, left] = await stored();
  return { lastMs: Math.round(Number(last) - from), left: Number(left) };
}
