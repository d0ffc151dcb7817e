import { type OutboxRelay, startOutboxRelay } from '../../../actors/outbox/outbox-relay.js';
import type { Publisher } from '../../../contracts/transport.js';
import { newUuid } from '../../../contracts/uuid.js';
import { type Database, openDatabase } from '../../../runtime/database/database.js';
import { Notifications } from '../../../runtime/database/notifications.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { postgresOutbox } from '../../../runtime/outbox/postgres-outbox.js';
import { openPostgresStore } from '../../../runtime/store/postgres-event-store.js';

/** A log to fill, and relays that drain it. */
export interface BenchStore {
  append(count: number, streams: number): Promise<void>;
  relayTo(transport: Publisher): OutboxRelay;
  isDrained(): Promise<boolean>;
  close(): Promise<void>;
}

const atOnce = 2_000;

export async function openBenchStore(url: string): Promise<BenchStore> {
  const { role } = await migrate({ ownerUrl: url });
  const database = openDatabase({ url, ...(role === undefined ? {} : { role }), connections: 4 });
  const store = openPostgresStore(database, { host: 'bench' });
  const storeId = newUuid();
  return {
    append: async (count, streams) => {
      const ids = Array.from({ length: streams }, newUuid);
      for (let n = 0; n < count; n += atOnce) {
        const page = Array.from(
          { length: Math.min(atOnce, count - n) },
          (_, index) => ids[(n + index) % streams],
        );
        await Promise.all(page.map((id = '') => store.append(id, happened())));
      }
    },
    relayTo: (transport) =>
      startOutboxRelay({
        outbox: postgresOutbox(database, newUuid(), storeId),
        transport,
        filter: { shouldPublishToTransport: () => true, shouldReceiveFromTransport: () => true },
        report: () => undefined,
        notifications: new Notifications(database),
      }),
    isDrained: () => isDrained(database),
    close: async () => {
      await store.close();
      await database.close();
    },
  };
}

async function isDrained(database: Database): Promise<boolean> {
  const text = `SELECT (SELECT max(global_position) FROM svc_events) =
    (SELECT position FROM svc_cursors WHERE name = 'outbox')`;
  return (await database.rows({ text }))[0]?.[0] === 't';
}

const happened = () => ({
  messageId: newUuid(),
  messageType: 'OrderCreated',
  payload: { note: 'x'.repeat(200) },
  timestamp: new Date().toISOString(),
  v: 1 as const,
});
