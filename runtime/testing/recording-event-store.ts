import type { Unit } from '../../contracts/unit-store.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';

/** Records the units it was asked to commit, and which of them it committed. */
export class RecordingEventStore extends InMemoryEventStore {
  readonly attempts: Unit[] = [];
  readonly commits: Unit[] = [];

  override async commit(unit: Unit, signal?: AbortSignal): Promise<void> {
    this.attempts.push(unit);
    await super.commit(unit, signal);
    this.commits.push(unit);
  }
}
