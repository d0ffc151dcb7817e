import { Problem } from '../../contracts/problems.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import type { Addition } from './service.js';
import type { StoreConnection } from './store-connection.js';

/** Registers an open store and its database. */
export const eventStore =
  (store: UnitStore, connection?: () => Promise<StoreConnection>): Addition =>
  (parts) => {
    if (parts.auditing.coversAppends) {
      throw new Problem('invalid-setup', {
        detail:
          'The event store is already decorated with auditing; register the store before addSystemEvents or decorateEventStoreWithAuditing.',
      });
    }
    parts.unitStore = store;
    parts.eventStore = store;
    parts.connection = connection;
  };
