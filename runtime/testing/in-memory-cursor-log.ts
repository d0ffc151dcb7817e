import type { Event, MessageClass } from '../../contracts/message.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { CursorLog } from '../reactions/cursor-log.js';
import { collect } from './collect.js';
import type { InMemoryEventStore } from './in-memory-event-store.js';

const ownStore = '00000000-0000-7000-8000-000000000001';

/** The log of an in-memory store, as cursors read it. */
export const inMemoryCursorLog = (store: InMemoryEventStore, events: readonly MessageClass[]): CursorLog => ({
  page: async (after, limit) => {
    const types = events.map(({ name }) => name);
    const all = await collect(store.readAll({ after }));
    const found = all.filter(({ messageType }) => types.includes(messageType)).slice(0, limit);
    const last = found.length < limit ? all.at(-1) : found.at(-1);
    const entries = found.map((event) => ({
      event: event as StoredEvent<Event>,
      store: ownStore,
      isForeign: false,
    }));
    return { entries, to: last?.globalPosition ?? after, head: all.at(-1)?.globalPosition ?? after };
  },
});
