import type { EventOrigin } from '../../contracts/event-origin.js';

/** Selects rows of `svc_events` by their store: 0 is the own one. */
export const ofOrigin = (origin: EventOrigin, column = 'origin'): string =>
  origin === 'all' ? 'true' : `${column} ${origin === 'own' ? '=' : '<>'} 0`;
