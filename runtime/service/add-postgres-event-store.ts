import type { UnitStore } from '../../contracts/unit-store.js';
import { Upcasters } from '../../contracts/upcaster.js';
import type { PostgresStore } from '../store/postgres-event-store.js';
import { migrateAndOpenStore, type OpenStore, type PostgresSource } from './migrate-and-open-store.js';
import { eventStore } from './register-event-store.js';
import type { Addition } from './service.js';

/**
 * Registers a PostgreSQL event store; its schema is migrated on first use.
 *
 * @example
 * ```ts
 * const service = addService().with(postgresEventStore({ url: 'postgres://127.0.0.1/orders' }));
 * await service.eventStore.lastPosition(orderId);
 * ```
 */
export const postgresEventStore =
  (source: PostgresSource, host = 'local'): Addition =>
  (parts) => {
    const upcasters = new Upcasters();
    let opening: Promise<OpenStore> | undefined;
    const open = () => {
      // A database that could not be reached may be reachable the next time.
      opening ??= migrateAndOpenStore(source, host, upcasters, parts).catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    };
    const store = async (): Promise<PostgresStore> => (await open()).store;
    eventStore({ ...whenOpen(store), upcasters }, async () => (await open()).connection)(parts);
    parts.stops.push(async () => {
      await (await opening)?.store.close();
    });
  };

function whenOpen(open: () => Promise<UnitStore>): UnitStore {
  return {
    commit: async (unit, signal) => (await open()).commit(unit, signal),
    append: async (...args) => (await open()).append(...args),
    lastPosition: async (streamId) => (await open()).lastPosition(streamId),
    async *read(...args) {
      yield* (await open()).read(...args);
    },
    async *readAll(query) {
      yield* (await open()).readAll(query);
    },
  };
}
