import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { type OutboxRelay, type RelaySettings, startOutboxRelay } from '../outbox/outbox-relay.js';
import { everything, type RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';

interface Scene {
  readonly log: PostgresStore;
  readonly database: Database;
  readonly owner: Database;
  /** The statements of the relay so far. */
  readonly statements: () => number;
  readonly reports: SystemMessage[];
  readonly start: (
    transport: RecordingTransport,
    settings?: Partial<RelaySettings> & { readonly leaseMs?: number },
  ) => OutboxRelay;
}

export const withRelay = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const reports: SystemMessage[] = [];
    const relays: OutboxRelay[] = [];
    let statements = 0;
    const counted: Database = {
      ...database,
      rows: (statement) => {
        statements++;
        return database.rows(statement);
      },
    };
    const start: Scene['start'] = (transport, { leaseMs, ...settings } = {}) => {
      const leases = hostLeases(database, newUuid(), leaseMs);
      const outbox = postgresOutbox(counted, leases.owner, newUuid());
      const report = (message: SystemMessage) => void reports.push(message);
      const ports = { outbox, transport, filter: everything, report, leases };
      const relay = startOutboxRelay(ports, settings);
      relays.push(relay);
      return relay;
    };
    try {
      await body({
        log: migrated.openStore(),
        database,
        owner: migrated.connect({ owner: true }),
        statements: () => statements,
        reports,
        start,
      });
    } finally {
      await Promise.all(relays.map((relay) => relay.stop()));
    }
  });

export const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: { text: 'x'.repeat(200) },
  timestamp: new Date().toISOString(),
  v: 1,
});

export async function append(log: PostgresStore, count: number, streams = 100): Promise<void> {
  const ids = Array.from({ length: streams }, newUuid);
  const one = (n: number) => log.append(ids[n % streams] ?? '', happened());
  for (let n = 0; n < count; n += 2_000)
    await Promise.all(Array.from({ length: Math.min(2_000, count - n) }, (_, index) => one(n + index)));
}

export const stands = (database: Database, position: number) => async () => {
  const [row] = await database.rows({ text: "SELECT position FROM svc_progress WHERE name = 'outbox'" });
  return row?.[0] === String(position);
};

export function mustBeInOrder(transport: RecordingTransport): void {
  for (const positions of transport.byStream.values())
    assert.equal(
      positions,
      positions.map((_, index) => index + 1),
    );
}
