import type { PublishedMessage } from '../../../runtime/testing/published-messages.js';
import { duplicateWindowMs } from '../../../runtime/transport/nats-streams.js';

export interface PublishedFindings {
  /** Events in the store that were not published. */
  readonly unpublished: number;
  /** Messages that the broker stored again while it drops duplicates. */
  readonly publishedTwice: number;
  /** Messages whose event is not in the store. */
  readonly ghosts: number;
}

/** Compares what the broker holds with the events of the store. `later`: events that need not be published yet. */
export function checkPublished(
  events: readonly string[],
  messages: readonly PublishedMessage[],
  later: readonly string[] = [],
): PublishedFindings {
  const stored = new Set([...events, ...later]);
  const published = new Set(messages.map(({ id }) => id));
  return {
    unpublished: events.filter((id) => !published.has(id)).length,
    publishedTwice: repeatedIn(messages, (afterMs) => afterMs < duplicateWindowMs),
    ghosts: [...published].filter((id) => !stored.has(id)).length,
  };
}

/** Messages that were published again so late that only a receiver drops them, as after an outage of all hosts. */
export const publishedLate = (messages: readonly PublishedMessage[]): number =>
  repeatedIn(messages, (afterMs) => afterMs >= duplicateWindowMs);

function repeatedIn(messages: readonly PublishedMessage[], counts: (afterMs: number) => boolean): number {
  const last = new Map<string, number>();
  return messages.filter(({ id, at }) => {
    const before = last.get(id);
    last.set(id, at);
    return before !== undefined && counts(at - before);
  }).length;
}

/** The longest time without a message since this moment. */
export function longestStall(messages: readonly PublishedMessage[], since: number): number {
  const times = messages.map(({ at }) => at).filter((at) => at >= since);
  return Math.round(Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? at))));
}
