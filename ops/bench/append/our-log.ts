import { newUuid } from '../../../contracts/uuid.js';
import { collect } from '../../../runtime/kit/collect.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { openPostgresStore } from '../../../runtime/store/postgres-event-store.js';
import type { EventLog } from './event-log.js';

/** Our store, opened as in a host. */
export async function openLog(url: string): Promise<EventLog> {
  const { role } = await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
  const database = openDatabase({ url, ...(role === undefined ? {} : { role }) });
  const store = openPostgresStore(database, { host: 'bench' });
  return {
    append: async (streamId, { type, data, metadata }, expected) => {
      const envelope = {
        messageId: newUuid(),
        messageType: type,
        payload: data,
        streamId,
        timestamp: new Date().toISOString(),
        ...metadata,
        v: 1,
      };
      await store.append(streamId, envelope, { expectedPosition: expected });
    },
    read: async (streamId) => (await collect(store.read(streamId))).length,
    close: async () => {
      await store.close();
      await database.close();
    },
  };
}
