import { TimersMissed } from '../../contracts/events/process.js';
import type { StoredTimer } from '../../contracts/reaction-store.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord, UnitStore } from '../../contracts/unit-store.js';
import { nowText } from '../../runtime/lang/now-text.js';
import { StagedStep } from '../../runtime/unit/staged-step.js';
import type { FiringOutcome } from './fire-timer.js';

/** A host that dies is replaced sooner. */
export const missedAfterMs = 10_000;

/** One that is dropped is reported by itself. */
const counted: ReadonlySet<FiringOutcome> = new Set(['fired', 'retrying', 'parked']);

/** Timers that no host fired in time, from the first one until this host has caught up. */
export class MissedTimers {
  #firing = 0;
  #count = 0;
  #oldest: StoredTimer | undefined;

  fires(timer: StoredTimer): void {
    if (isMissed(timer)) this.#firing++;
  }

  fired(timer: StoredTimer, outcome: FiringOutcome): void {
    if (!isMissed(timer)) return;
    this.#firing--;
    if (!counted.has(outcome)) return;
    this.#count++;
    if (this.#oldest === undefined || Date.parse(timer.dueAt) < Date.parse(this.#oldest.dueAt))
      this.#oldest = timer;
  }

  /** What was missed, once nothing of it is due or firing anymore. */
  caughtUp(due: readonly StoredTimer[]): TimersMissed | undefined {
    if (this.#oldest === undefined || this.#firing > 0 || due.some(isMissed)) return undefined;
    return new TimersMissed({ count: this.#count, oldestDue: this.#oldest.dueAt, timestamp: nowText() });
  }

  clear(): void {
    this.#count = 0;
    this.#oldest = undefined;
  }
}

/** Missed occurrences of a schedule are reported by themselves. */
const isMissed = ({ kind, attempts, lateMs }: StoredTimer): boolean =>
  kind !== 'schedule' && attempts === 0 && lateMs > missedAfterMs;

interface RecordingPorts {
  readonly store: Pick<UnitStore, 'commit'>;
  readonly recordOf: (message: SystemMessage) => StagedRecord | undefined;
  readonly committed: (records: readonly StagedRecord[]) => void;
}

export const recordMissed =
  ({ store, recordOf, committed }: RecordingPorts) =>
  async (missed: TimersMissed): Promise<void> => {
    const record = recordOf(missed);
    if (record === undefined) return;
    const unit = new StagedStep().unit({}, [record]);
    await store.commit(unit);
    committed(unit.records);
  };
