import type { Event, MessageClass } from './message.js';
import { isSystemMessage } from './system-messages.js';

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

/** What is wrong with a declared origin, to be continued after the name of the class. */
export function originFault({
  origin,
  events,
}: {
  readonly origin?: unknown;
  readonly events: readonly MessageClass[];
}): string | undefined {
  if (origin === undefined || origin === 'own' || origin === 'all') return undefined;
  if (origin !== 'others') return `says origin: ${JSON.stringify(origin)}; use 'own', 'others' or 'all'`;
  const system = events.find(isSystemMessage);
  if (system === undefined) return undefined;
  return `says origin: 'others' and takes ${system.name}, which only its own store has; use 'all'`;
}
