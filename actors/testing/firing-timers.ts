import { partitions, type StoredTimer } from '../../contracts/reaction-store.js';
import type { TimersMissed } from '../../contracts/events/process.js';
import { newUuid } from '../../contracts/uuid.js';
import type { FakeClock } from '../../runtime/kit/fake-clock.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { advanceUntil, withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { StagedLists } from '../../runtime/unit/staged-lists.js';
import type { FiringOutcome } from '../due/fire-timer.js';
import { TimerRunner, type TimerRunnerPorts } from '../due/timer-runner.js';

export const allParts = Array.from({ length: partitions }, (_, part) => part);

interface Scene {
  readonly clock: FakeClock;
  readonly runner: TimerRunner;
  /** The names of what fired, with the time since the start. */
  readonly fired: (readonly [string, number])[];
  readonly set: (name: string, inMs: number, tenantId?: string) => Promise<void>;
  readonly names: () => readonly string[];
  /** What was reported as missed: how many, and since when. */
  readonly missed: (readonly [number, number])[];
}

type Options = Partial<Pick<TimerRunnerPorts, 'isBusy' | 'parts' | 'isServing'>> & {
  readonly most?: number;
  readonly outcome?: (timer: StoredTimer) => FiringOutcome | Promise<FiringOutcome>;
};

const times = {
  mostBesideRequests: 2,
  pollMs: 5_000,
  restMs: 20,
  stuckAfterMs: 1_000,
  laterMs: 1_000,
  endWithinMs: 3_000,
};

/** A runner of timers in simulated time, over a store in memory. */
export const withRunner = (options: Options, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withFakeTimeouts(async (clock) => {
    const scene = sceneOf(clock, options);
    scene.runner.start();
    await body(scene);
    let stopped = false;
    void scene.runner.stop().then(() => (stopped = true));
    await advanceUntil(clock, () => stopped);
  });

function sceneOf(clock: FakeClock, options: Options): Scene {
  const { isBusy = () => false, isServing = () => false, parts = () => allParts, most = 512 } = options;
  const startedAt = clock.now();
  const store = new InMemoryEventStore({ now: clock.now });
  const commit = (change: (lists: StagedLists) => void) => {
    const lists = new StagedLists();
    change(lists);
    return store.commit({ events: [], records: [], expected: new Map(), lists });
  };
  const fired: (readonly [string, number])[] = [];
  const fire = async (timer: StoredTimer): Promise<FiringOutcome> => {
    fired.push([timer.name, clock.now()]);
    const outcome = (await options.outcome?.(timer)) ?? 'fired';
    if (outcome === 'fired') await commit((lists) => lists.end(timer.id));
    return outcome;
  };
  const missed: (readonly [number, number])[] = [];
  const report = async ({ count, oldestDue }: TimersMissed): Promise<void> => {
    missed.push([count, Date.parse(oldestDue) - startedAt]);
  };
  const ports = { store: store.reactions, fire, isBusy, isServing, parts, missed: report };
  const runner = new TimerRunner(ports, { ...times, most });
  const set = (name: string, inMs: number, tenantId?: string) =>
    commit((lists) => lists.set({ ...timerOf(name, inMs), context: contextOf(tenantId) }));
  return { clock, runner, fired, set, names: () => fired.map(([name]) => name), missed };
}

const timerOf = (name: string, inMs: number) =>
  ({ id: newUuid(), kind: 'command', name, key: name, again: 'replace', due: { inMs }, data: {} }) as const;

const contextOf = (tenantId: string | undefined) => (tenantId === undefined ? {} : { scope: { tenantId } });
