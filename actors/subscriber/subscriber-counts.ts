/** Message counts by outcome; a redelivered message counts again. */
export interface SubscriberCounts {
  received: number;
  stored: number;
  duplicate: number;
  /** From our own store. */
  own: number;
  /** Excluded by the transport filter. */
  filtered: number;
  /** Of a type that this service does not subscribe to. */
  unknown: number;
  /** Of a store that is not trusted. */
  untrusted: number;
  dead: number;
  /** Forged or unreadable ones, beyond those that are kept as dead letters. */
  dropped: number;
  /** The dead letters under which hosts had died. */
  quarantined: number;
  heads: number;
  /** Chain heads that differ from what we hold. */
  differing: number;
  /** Chain heads that were not taken over: forged, contradicting an earlier one, or not signed though their store signs. */
  refused: number;
  /** Status reports of other hosts. */
  statuses: number;
}

export const zeroCounts = (): SubscriberCounts => ({
  received: 0,
  stored: 0,
  duplicate: 0,
  own: 0,
  filtered: 0,
  unknown: 0,
  untrusted: 0,
  dead: 0,
  dropped: 0,
  quarantined: 0,
  heads: 0,
  differing: 0,
  refused: 0,
  statuses: 0,
});
