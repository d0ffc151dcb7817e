import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import type { PostgresStore } from '../store/postgres-event-store.js';
import { ForeignStore } from './foreign-events.js';
import { withMigratedDatabase } from './migrated-database.js';
import { type Inbox, type InboxLease, LeaseLost } from '../inbox/inbox.js';
import { postgresInbox } from '../inbox/postgres-inbox.js';
import type { ReceivedEnvelope } from '../inbox/read-envelope.js';
import { eventOf } from '../inbox/received-rows.js';

export const leaseMs = 60_000;

interface InboxScene {
  readonly inbox: Inbox;
  readonly another: Inbox;
  readonly log: PostgresStore;
  readonly database: Database;
  readonly owner: Database;
  readonly bakery: ForeignStore;
  readonly keep: (...envelopes: ReceivedEnvelope[]) => Promise<unknown>;
}

export const withInbox = (body: (scene: InboxScene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const inbox = postgresInbox(database, newUuid());
    await inbox.acquireLease(leaseMs);
    await body({
      inbox,
      another: postgresInbox(database, newUuid()),
      log: migrated.openStore('here'),
      database,
      owner: migrated.connect({ owner: true }),
      bakery: new ForeignStore(),
      keep: (...envelopes) => inbox.storeEvents(envelopes.map(eventOf), leaseMs),
    });
  });

export const local = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Sold',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

export const grantOf = (grant: InboxLease) => ({ ...grant, remainingMs: undefined });

export const mustLose = async (change: Promise<unknown>): Promise<void> =>
  assert.instance(await change.catch((error: unknown) => error), LeaseLost);

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
