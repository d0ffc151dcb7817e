import type { Envelope } from './message.js';
import type { StagedEvent } from './unit.js';

/** Takes envelopes that leave after the commit they belong to. */
export interface DeferredOutbox {
  /** `of` is the staged event the envelope tells about, where its position is not known yet. */
  queue(destination: string, envelope: Envelope, of?: StagedEvent): void | Promise<void>;
}
