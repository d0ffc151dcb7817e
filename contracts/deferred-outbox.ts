import type { Envelope } from './message.js';
import type { StagedEvent } from './unit-store.js';

/** Queues envelopes that are sent after the commit they belong to. */
export interface DeferredOutbox {
  /** `of` is the staged event that the envelope describes; its position is not known yet. */
  queue(destination: string, envelope: Envelope, of?: StagedEvent): void | Promise<void>;
}
