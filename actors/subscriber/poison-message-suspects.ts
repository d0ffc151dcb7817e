import { Problem } from '../../contracts/problems.js';
import type { InboundMessage } from '../../contracts/transport.js';

/** All messages that a host held when it died are redelivered together, and nearly all of them are innocent. */
const maxUnanswered = 1;
/** How many hosts may die under a message that each of them handled alone. */
const maxHostsEnded = 2;

const isSuspect = ({ unanswered }: InboundMessage): boolean => unanswered > maxUnanswered;

/** The messages to handle together, in order; one that repeatedly got no acknowledgement is handled alone. */
export function beforeNextSuspect(batch: readonly InboundMessage[]): readonly InboundMessage[] {
  const first = batch.findIndex(isSuspect);
  return first < 0 ? batch : batch.slice(0, Math.max(1, first));
}

/** The message to handle alone, if there is one. */
export const suspectOf = ([first]: readonly InboundMessage[]): InboundMessage | undefined =>
  first !== undefined && isSuspect(first) ? first : undefined;

/** Why the message is quarantined; undefined while it may be retried. */
export function quarantineOf(begun: number): Problem | undefined {
  if (begun <= maxHostsEnded) return undefined;
  const detail = `${begun - 1} hosts died while each handled this message alone; it was not handled again.`;
  return new Problem('message-quarantined', { detail });
}
