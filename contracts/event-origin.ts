import type { Event, MessageClass } from './message.js';

/** Whose events: those of the own store, those that were received from other stores, or both. */
export type EventOrigin = 'own' | 'others' | 'all';

/** What follows the log names the events that it takes, and whose. */
export interface Followed {
  readonly events: readonly MessageClass<Event>[];
  /** Default: `own`. */
  readonly origin?: EventOrigin | undefined;
}

export const takesOrigin = (origin: EventOrigin = 'own', isForeign: boolean): boolean =>
  origin === 'all' || isForeign === (origin === 'others');

/** Whether a class must be sent events of other stores. */
export const takesOthers = ({ origin }: Pick<Followed, 'origin'>): boolean => takesOrigin(origin, true);
