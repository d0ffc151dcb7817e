import { type Followed, takesOrigin } from '../../contracts/event-origin.js';
import type { Event } from '../../contracts/message.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { LogReader, OnlyThese } from '../log/log-entry.js';
import { collect } from '../kit/collect.js';
import type { InMemoryEventStore } from '../kit/in-memory-event-store.js';

const ownStore = '00000000-0000-7000-8000-000000000001';

/** The log of an in-memory store, as cursors read it. */
export const inMemoryCursorLog = (store: InMemoryEventStore, { events, origin }: Followed): LogReader => ({
  page: async (after, limit, only) => {
    const types = events.map(({ name }) => name);
    const all = await collect(store.readAll({ after }));
    const found = all
      .filter((event) => types.includes(event.messageType) && takesOrigin(origin, isReceived(event)))
      .filter((event) => isAmong(only, event))
      .slice(0, limit);
    const last = found.length < limit ? all.at(-1) : found.at(-1);
    const entries = found.map((event) => ({
      event: event as StoredEvent<Event>,
      key: {
        at: Date.parse(event.occurredAt) * 1_000,
        store: event.store ?? ownStore,
        position: event.streamPosition,
      },
      late: false,
      isForeign: isReceived(event),
    }));
    return { entries, to: last?.globalPosition ?? after, head: all.at(-1)?.globalPosition ?? after };
  },
});

/** Whether an event is in that part of the log. */
export const isAmong = (
  only: OnlyThese | undefined,
  { globalPosition, streamId }: Pick<StoredEvent, 'globalPosition' | 'streamId'>,
): boolean =>
  only === undefined ||
  ('positions' in only
    ? only.positions.includes(globalPosition)
    : globalPosition > (only.behind[only.streams.indexOf(streamId)] ?? Infinity));

const isReceived = ({ store }: StoredEvent): boolean => store !== undefined;
