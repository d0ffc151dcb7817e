/** What became of the messages so far; one that is brought again counts again. */
export interface SubscriberCounts {
  received: number;
  stored: number;
  duplicate: number;
  /** From our own store. */
  own: number;
  /** Held back by the transport filter. */
  filtered: number;
  /** Of a type that nobody asks for. */
  unknown: number;
  dead: number;
  /** Of the dead: those under which hosts had ended. */
  quarantined: number;
  heads: number;
  /** Heads of chains that are not what we hold. */
  differing: number;
  /** How often another host said how it is. */
  statuses: number;
}

export const zeroCounts = (): SubscriberCounts => ({
  received: 0,
  stored: 0,
  duplicate: 0,
  own: 0,
  filtered: 0,
  unknown: 0,
  dead: 0,
  quarantined: 0,
  heads: 0,
  differing: 0,
  statuses: 0,
});
