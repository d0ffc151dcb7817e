import * as assert from 'uvu/assert';
import type { StoreTrust } from '../../contracts/store-trust.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { Acknowledgement, InboundMessage } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import type { Inbox } from '../../runtime/inbox/inbox.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import type { ReceivedEnvelope } from '../../runtime/inbox/read-envelope.js';
import { ForeignStore, inbound } from '../../runtime/testing/foreign-events.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { keyFromSeed, newSeed } from '../../runtime/trust/ed25519.js';
import type { MessageEpoch } from '../../runtime/trust/epoch-headers.js';
import { messageSigner } from '../../runtime/trust/signed-message.js';
import type { StoreKey } from '../../runtime/trust/store-key.js';
import { LeaseLength } from '../../runtime/leases/lease-length.js';
import { Lease } from '../follow/lease.js';
import { BatchReceiver } from '../subscriber/batch-receiver.js';
import { ClockSkew } from '../subscriber/clock-skew.js';
import { type SubscriberCounts, zeroCounts } from '../subscriber/subscriber-counts.js';

/** A subscriber on a store of its own, to which messages are handed. */
export interface ReceiverScene {
  readonly url: string;
  readonly receive: (...envelopes: ReceivedEnvelope[]) => Promise<unknown>;
  readonly handle: (...messages: InboundMessage[]) => Promise<unknown>;
  /** The same for messages that may be read again. */
  readonly deliver: (...messages: InboundMessage[]) => Promise<Acknowledgement[]>;
  readonly counts: SubscriberCounts;
  readonly reported: SystemMessage[];
  readonly database: Database;
  readonly owner: Database;
}

export const withReceiver = (
  trust: StoreTrust,
  body: (scene: ReceiverScene) => Promise<void>,
  through: (inbox: Inbox) => Inbox = (inbox) => inbox,
): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const [database, reported, counts] = [migrated.connect(), [] as SystemMessage[], zeroCounts()];
    const inbox = through(postgresInbox(database, newUuid(), 'here'));
    const lease = new Lease(inbox, new LeaseLength(600_000), 1 / 6);
    await lease.acquireLease();
    const ports = {
      inbox,
      report: (message: SystemMessage) => void reported.push(message),
      trust,
      host: 'here',
    };
    const filter = {
      store: newUuid(),
      types: new Set(['Baked']),
      filter: { shouldReceiveFromTransport: () => true },
    };
    const state = { counts, isFull: false, clocks: new ClockSkew() };
    const receiver = new BatchReceiver(ports, filter, lease, state, () => undefined);
    const deliver = (...messages: InboundMessage[]) => receiver.handle(messages);
    const handle = async (...messages: InboundMessage[]) => {
      const answers = await deliver(...messages);
      assert.ok(answers.every((answer) => answer === 'done'));
    };
    const receive = (...envelopes: ReceivedEnvelope[]) => handle(...envelopes.map((one) => inbound(one)));
    const owner = migrated.connect({ owner: true });
    await body({ url: migrated.url, receive, handle, deliver, counts, reported, database, owner });
  });

export const eventsOf = (database: Database) =>
  database.rows({ text: 'SELECT count(*) FROM svc_events WHERE origin <> 0' });

export const lettersIn = async (database: Database) =>
  (await database.rows({ text: 'SELECT last_error FROM svc_dead_letters ORDER BY id' })).map(
    ([error]) => error?.split(':')[0],
  );

export interface SigningStore extends ForeignStore {
  readonly key: StoreKey;
  readonly publicKey: string;
  /** Signed with its key, unless another one is given. */
  readonly signed: (envelope: ReceivedEnvelope, epoch?: MessageEpoch, by?: StoreKey) => InboundMessage;
}

export function signingStore(): SigningStore {
  const store = new ForeignStore();
  const key = { storeId: store.id, ...keyFromSeed(newSeed()) };
  const signed: SigningStore['signed'] = (envelope, epoch = { epoch: 1, forks: '' }, by = key) => {
    const { subject, body } = inbound(envelope);
    const headers = messageSigner(by)({ subject, contentType: undefined, body, epoch });
    return inbound(envelope, { headers: { ...headers, ...epochHeaders(epoch) } });
  };
  return Object.assign(store, { key, publicKey: key.publicKey.toString('hex'), signed });
}

export const epochHeaders = ({ epoch, forks }: MessageEpoch): Readonly<Record<string, string>> => ({
  'svc-epoch': String(epoch),
  'svc-forks': forks,
});
