import { Problem } from '../../contracts/problems.js';
import type { InboundMessage } from '../../contracts/transport.js';

/** What a host had in hand when it ended comes again together, and nearly all of it is innocent. */
const maxUnanswered = 1;
/** So many hosts may end under a message that each of them took by itself. */
const maxHostsEnded = 2;

const isSuspect = ({ unanswered }: InboundMessage): boolean => unanswered > maxUnanswered;

/** As many as can be taken together, in their order: one that nobody answered for again and again goes alone. */
export function beforeNextSuspect(batch: readonly InboundMessage[]): readonly InboundMessage[] {
  const first = batch.findIndex(isSuspect);
  return first < 0 ? batch : batch.slice(0, Math.max(1, first));
}

/** The message that is to be taken alone, if that is what these are. */
export const suspectOf = ([first]: readonly InboundMessage[]): InboundMessage | undefined =>
  first !== undefined && isSuspect(first) ? first : undefined;

/** Why it is not looked at any more; undefined while it may be tried. */
export function quarantineOf(begun: number): Problem | undefined {
  if (begun <= maxHostsEnded) return undefined;
  const detail = `${begun - 1} hosts ended while each took this message by itself; it was not looked at again.`;
  return new Problem('message-quarantined', { detail });
}
