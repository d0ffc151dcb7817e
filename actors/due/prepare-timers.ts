import { Problem } from '../../contracts/problems.js';
import type { ReactionStore, StoredTimer } from '../../contracts/reaction-store.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { isNewer } from '../../runtime/lang/compare-versions.js';
import { type KnownSchedule, timerAtStart } from './fire-schedule.js';

interface TimerPorts {
  readonly reactions: Pick<ReactionStore, 'timersOf' | 'parkedTimers'>;
  readonly store: Pick<UnitStore, 'commit'>;
  /** Of the application. */
  readonly version: string;
}

interface PreparingPorts extends TimerPorts {
  /** Milliseconds since 1970, by the clock of the database. */
  readonly clock: () => Promise<number>;
  /** Whether no newer version of the application is running. */
  readonly isNewest: () => Promise<boolean>;
}

const most = 1_000;
const mostTries = 20;

/** Sets the timers that the schedules of this version need. */
export async function setSchedules(
  schedules: ReadonlyMap<string, KnownSchedule>,
  ports: PreparingPorts,
): Promise<void> {
  for (const known of schedules.values()) await setSchedule(known, ports);
}

/**
 * What another version could not take, and what an older one has parked, is tried again by the host that takes its
 * partition.
 */
export async function tryParkedAgain(parts: readonly number[], ports: TimerPorts): Promise<void> {
  const codes = ['process-version', 'timer-unknown'] as const;
  for (const timer of await ports.reactions.parkedTimers(parts, codes, ports.version, most)) {
    const mayTry = codes.some((code) => timer.error?.startsWith(`${code}: `)) || isOfOlder(timer, ports);
    if (mayTry) await replace(timer, triedAgain(timer), ports);
  }
}

const isOfOlder = ({ context }: StoredTimer, { version }: TimerPorts): boolean =>
  isNewer(version, (context as { readonly parkedBy?: string }).parkedBy ?? null);

/** Until it has the right timer, or one of a newer version. */
async function setSchedule(known: KnownSchedule, ports: PreparingPorts): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    const [timer] = await ports.reactions.timersOf('schedule', known.schedule.name, '');
    const wanted = timerAtStart(known, timer, await ports.clock());
    // Asked after the timer was read: a newer version that starts now changes it, and this host is refused.
    if (wanted === undefined || !(await ports.isNewest())) return;
    await replace(timer, wanted, ports);
  }
}

/** Sets a timer, unless another host has set or fired it since it was read. */
async function replace(read: StoredTimer | undefined, timer: SetTimer, { store }: TimerPorts): Promise<void> {
  const others = { handled: [], aside: [], reservations: [], processes: [] };
  const lists =
    read === undefined
      ? { ...others, ended: [], timers: [{ ...timer, again: 'keep' as const }] }
      : { ...others, ended: [{ id: read.id, firedAt: read.dueAt }], timers: [timer] };
  try {
    await store.commit({ events: [], records: [], expected: new Map(), lists });
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'timer-gone')) throw error;
  }
}

const triedAgain = ({ id, kind, name, key, data, context, expiresMs }: StoredTimer): SetTimer => ({
  id,
  kind,
  name,
  key,
  data,
  context,
  again: 'replace',
  due: { inMs: 0 },
  ...(expiresMs !== null && { expiresMs }),
});
