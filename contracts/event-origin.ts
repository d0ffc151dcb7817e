import type { Event, MessageClass } from './message.js';

/** Whose events: those of the own store, those received from other stores, or both. */
export type EventOrigin = 'own' | 'others' | 'all';

/** Every follower of the log names the events that it takes, and whose. */
export interface Followed {
  readonly events: readonly MessageClass<Event>[];
  /** Default: `own`. */
  readonly origin?: EventOrigin | undefined;
  /** It takes no imported events. */
  readonly passesImported?: boolean | undefined;
}

export const takesOrigin = (origin: EventOrigin = 'own', isForeign: boolean): boolean =>
  origin === 'all' || isForeign === (origin === 'others');

/** Whether a class needs events of other stores. */
export const takesOthers = ({ origin }: Pick<Followed, 'origin'>): boolean => takesOrigin(origin, true);
