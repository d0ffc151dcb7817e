import type { Duration } from '../../contracts/scalars.js';
import { millisecondsOf } from '../timers/duration.js';

/** A clock that stands still until a test advances it. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Advances the time, by milliseconds or `PT15M`; timers that become due run in order, each at its own time. */
  readonly advance: (by: number | Duration) => void;
  /** Runs the task once, `ms` from now; the returned function cancels it. */
  readonly after: (ms: number, task: () => void) => () => void;
}

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

export function fakeClock(start: number | string | Date = 0): FakeClock {
  let time = new Date(start).getTime();
  const timers = new Set<Timer>();
  return {
    now: () => time,
    advance: (by) => {
      const end = time + (typeof by === 'number' ? by : millisecondsOf(by, 'The time'));
      for (let timer = nextOf(timers, end); timer !== undefined; timer = nextOf(timers, end)) {
        timers.delete(timer);
        time = Math.max(time, timer.due);
        timer.task();
      }
      time = end;
    },
    after: (ms, task) => {
      const timer = { due: time + ms, task };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
  };
}

/** The earliest timer due by `end`; of several, the one set first. */
function nextOf(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers) {
    if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
  }
  return next;
}
