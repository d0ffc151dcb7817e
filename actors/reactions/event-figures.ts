import type { Timestamp } from '../../contracts/scalars.js';
import type { Unit } from '../../contracts/unit-store.js';
import { type Distribution, Histogram } from '../../runtime/metrics/histogram.js';

/**
 * What became of an event. `passed`: it causes nothing. `unmatched`: no state of its process takes it. `skipped`: it was
 * imported. `failed`: its key is tried again later. `parked`: its key waits for a release.
 */
type EventOutcome = 'handled' | 'passed' | 'unmatched' | 'skipped' | 'failed' | 'parked';

const secondBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** What one host has done for a reaction or process, in all partitions, since it started. */
export class EventFigures {
  readonly counts: Record<EventOutcome, number> = {
    handled: 0,
    passed: 0,
    unmatched: 0,
    skipped: 0,
    failed: 0,
    parked: 0,
  };
  readonly #seconds = new Histogram(secondBounds);

  count(outcome: EventOutcome, events = 1): void {
    this.counts[outcome] += events;
  }

  /** Both times are the database's; a unit without events and records has none. */
  committed(recordedAt: Timestamp, { events, records }: Pick<Unit, 'events' | 'records'>): void {
    const at = events[0]?.recordedAt ?? records[0]?.recordedAt;
    if (typeof at === 'string')
      this.#seconds.observe(Math.max(0, Date.parse(at) - Date.parse(recordedAt)) / 1_000);
  }

  /** From an event to the commit of what it caused. */
  get seconds(): Distribution {
    return this.#seconds.read();
  }
}
