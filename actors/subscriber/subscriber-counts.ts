/** Message counts by outcome; a redelivered message counts again. */
export type SubscriberCounts = ReturnType<typeof zeroCounts>;

export const zeroCounts = () => ({
  received: 0,
  stored: 0,
  duplicate: 0,
  /** From our own store. */
  own: 0,
  /** Excluded by the transport filter. */
  filtered: 0,
  /** Of a type that this service does not subscribe to. */
  unknown: 0,
  /** Of a store that is not trusted. */
  untrusted: 0,
  dead: 0,
  /** Forged or unreadable ones, beyond those that are kept as dead letters. */
  dropped: 0,
  /** The dead letters under which hosts had died. */
  quarantined: 0,
  heads: 0,
  /** Chain heads that differ from what we hold. */
  differing: 0,
  /** Chain heads that were not taken over: forged, contradicting an earlier one, or not signed though their store signs. */
  refused: 0,
  /** Status reports of other hosts. */
  statuses: 0,
});
