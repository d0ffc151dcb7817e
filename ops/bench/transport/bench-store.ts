import { type OutboxRelay, startOutboxRelay } from '../../../actors/outbox/outbox-relay.js';
import { Problem } from '../../../contracts/problems.js';
import type { Publisher } from '../../../contracts/transport.js';
import { newUuid } from '../../../contracts/uuid.js';
import { type Database, openDatabase } from '../../../runtime/database/database.js';
import { Notifications } from '../../../runtime/database/notifications.js';
import { HostLeases } from '../../../runtime/leases/host-leases.js';
import { postgresLeases } from '../../../runtime/leases/postgres-leases.js';
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
    relayTo: (transport) => {
      const owner = newUuid();
      const leases = postgresLeases(database, { owner, name: 'bench', version: '1', broadcast: false });
      return startOutboxRelay({
        outbox: postgresOutbox(database, owner, storeId),
        transport,
        filter: { shouldPublishToTransport: () => true, shouldReceiveFromTransport: () => true },
        report: () => undefined,
        leases: new HostLeases(leases, '1', new Notifications(database)),
      });
    },
    isDrained: () => isDrained(database),
    close: async () => {
      await store.close();
      await database.close();
    },
  };
}

async function isDrained(database: Database): Promise<boolean> {
  const text = `SELECT (SELECT max(global_position) FROM svc_events) =
    (SELECT position FROM svc_progress WHERE name = 'outbox')`;
  const [[drained] = []] = await database.rows({ text });
  // An earlier commit is measured by its own suite then.
  if (drained === null)
    throw new Problem('invalid-setup', { detail: 'The store keeps the position of the relay elsewhere.' });
  return drained === 't';
}

const happened = () => ({
  messageId: newUuid(),
  messageType: 'OrderCreated',
  payload: { note: 'x'.repeat(200) },
  timestamp: new Date().toISOString(),
  v: 1 as const,
});
