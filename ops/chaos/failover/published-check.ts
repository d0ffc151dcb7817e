import type { PublishedMessage } from '../../../runtime/testing/published-messages.js';

export interface PublishedFindings {
  /** Events in the store that were not published. */
  readonly unpublished: number;
  /** Messages that were stored by the broker more than once. */
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
    publishedTwice: messages.length - published.size,
    ghosts: [...published].filter((id) => !stored.has(id)).length,
  };
}

/** The longest time without a message since this moment. */
export function longestStall(messages: readonly PublishedMessage[], since: number): number {
  const times = messages.map(({ at }) => at).filter((at) => at >= since);
  return Math.round(Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? at))));
}
