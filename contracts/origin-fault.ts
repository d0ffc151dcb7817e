import type { MessageClass } from './message.js';
import { isSystemMessage } from './system-messages.js';

/** The fault of a declared origin, as the rest of a sentence that begins with the name of the class. */
export function originFault({
  origin,
  events,
}: {
  readonly origin?: unknown;
  readonly events: readonly MessageClass[];
}): string | undefined {
  if (origin === undefined || origin === 'own' || origin === 'all') return undefined;
  if (origin !== 'others') return `has origin: ${JSON.stringify(origin)}; use 'own', 'others' or 'all'`;
  const system = events.find(isSystemMessage);
  if (system === undefined) return undefined;
  return `has origin: 'others' but takes ${system.name}, which comes only from its own store; use 'all'`;
}
