import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import type { PostgresStore } from '../store/postgres-event-store.js';
import { withMigratedDatabase } from './migrated-database.js';
import type { Outbox, PendingMessage, OutboxLease } from '../outbox/outbox.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';

export const store = '018f0000-0000-7000-8000-0000000000ff';
export const leaseMs = 60_000;
export const rejection = { attempts: 1, error: 'RangeError: too large', fingerprint: '0123456789ab' };

interface OutboxScene {
  readonly log: PostgresStore;
  readonly database: Database;
  readonly owner: Database;
  readonly outbox: Outbox;
  readonly another: Outbox;
}

export const withOutbox = (body: (scene: OutboxScene) => Promise<void>): Promise<void> =>
  withMigratedDatabase((migrated) => {
    const database = migrated.connect();
    return body({
      log: migrated.openStore('north'),
      database,
      owner: migrated.connect({ owner: true }),
      outbox: postgresOutbox(database, newUuid(), store),
      another: postgresOutbox(database, newUuid(), store),
    });
  });

export const envelope = (messageType: string, streamId?: string): Envelope => ({
  messageId: newUuid(),
  messageType,
  payload: { loaves: 3 },
  streamId,
  timestamp: new Date().toISOString(),
  correlationId: 'monday',
  v: 1,
});

/** One event with its audits, some of them marked for publishing. */
export async function bake(log: PostgresStore, publish: boolean): Promise<void> {
  const { streamId } = SystemEventStreams;
  const records = ['EventAudited', 'CommandAudited', 'HookFailed'].map((type) => ({
    envelope: envelope(type, streamId),
    publish,
  }));
  await log.commit({
    events: [{ streamId: newUuid(), envelope: envelope('Baked') }],
    records,
    expected: new Map(),
  });
}

export function mustHold(lease: OutboxLease) {
  assert.ok(lease.held);
  return lease;
}

export async function firstOf(outbox: Outbox): Promise<PendingMessage> {
  const [message] = await outbox.page(0, 1);
  assert.ok(message);
  return message;
}

export const pending = (database: Database) =>
  database.rows({
    text: `SELECT global_position, destination, event_type, host, attempts FROM svc_outbox_pending ORDER BY 1`,
  });
