import * as assert from 'uvu/assert';
import type { Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { newUuid } from '../../contracts/uuid.js';
import { digestOf, genesis, hashAfter } from '../audit/chain.js';
import { verifyChain } from '../audit/verify-chain.js';
import type { Database } from '../database/database.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';
import { withMigratedDatabase } from './migrated-database.js';
import { keyFromSeed, newSeed } from '../trust/ed25519.js';
import { signHead } from '../trust/signed-head.js';
import type { Inbox, ReceivedRecord } from '../inbox/inbox.js';
import { postgresInbox } from '../inbox/postgres-inbox.js';
import type { ReceivedEnvelope } from '../inbox/read-envelope.js';
import { receivedRecordOf } from '../inbox/received-rows.js';

const leaseMs = 600_000;
export const last = 8;

/** A store that signs, as another one sees it. */
interface Sender {
  readonly records: readonly ReceivedRecord[];
  readonly receive: (...records: ReceivedRecord[]) => Promise<unknown>;
  readonly announce: (position: number, hash?: Buffer) => Promise<unknown>;
  /** The positions that count, and how many records wait and were thrown away. */
  readonly state: () => Promise<readonly [number[], unknown, unknown]>;
  /** As if so many waited already. */
  readonly crowd: (waiting: number, bytes?: number) => Promise<unknown>;
  readonly forget: () => Promise<unknown>;
  readonly trust: () => Promise<unknown>;
  readonly verify: () => Promise<{ readonly ok: boolean; readonly missing?: number }>;
}

const envelope = (n: number) => ({
  messageId: newUuid(),
  messageType: 'CommandAudited',
  payload: { n },
  streamId: SystemEventStreams.streamId,
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

/** The same chain may stand for several stores: its hashes do not cover the id. */
export const withSenders = (body: (sender: () => Promise<Sender>) => Promise<void>): Promise<void> =>
  withMigratedDatabase((from) =>
    withMigratedDatabase(async (to) => {
      const [near, far] = [from.connect(), to.connect()];
      const log = from.openStore();
      for (let n = 0; n < last; n++)
        await log.commit({
          events: [],
          records: [{ envelope: envelope(n), publish: true }],
          expected: new Map(),
        });
      const outbox = postgresOutbox(near, newUuid(), newUuid());
      await outbox.acquireLease(leaseMs);
      const page = await outbox.page(0, last);
      const records = page.map((sent) => receivedRecordOf(sent.envelope as ReceivedEnvelope, false));
      const inbox = postgresInbox(far, newUuid());
      await inbox.acquireLease(leaseMs);
      const owner = to.connect({ owner: true });
      await body(() => senderOf({ far, owner }, inbox, newUuid(), records));
    }),
  );

async function senderOf(
  { far, owner }: { readonly far: Database; readonly owner: Database },
  inbox: Inbox,
  storeId: Uuid,
  of: readonly ReceivedRecord[],
): Promise<Sender> {
  const key = { storeId, ...keyFromSeed(newSeed()) };
  const trust = () =>
    far.rows({ text: 'SELECT svc_trust_store($1, $2, $3)', values: [storeId, key.publicKey, 'ann'] });
  await trust();
  const records = of.map((record) => ({ ...record, store: storeId }));
  let minutes = 0;
  return {
    records,
    receive: (...some) =>
      inbox.storeRecords(
        some.map((record) => ({ ...record, store: storeId })),
        leaseMs,
      ),
    announce: (position, hash = at(records, position).hash) => {
      const head = { position, hash: hash.toString('hex') };
      const signedAt = new Date(Date.UTC(2026, 2, 1, 9, minutes++)).toISOString();
      const history = { epoch: 1, forks: '', publishedTo: position };
      const proof = signHead({ ...head, at: signedAt, history }, key);
      return inbox.storeHead(storeId, { ...head, proof }, leaseMs);
    },
    state: async () => {
      const [[counted, waiting, dropped] = []] = await far.rows({
        text: `SELECT (SELECT string_agg(stream_position::text, ',' ORDER BY id) FROM svc_received_system_events r WHERE r.origin = o.origin),
            (SELECT count(*) FROM svc_unconfirmed_records u WHERE u.origin = o.origin), dropped_records
          FROM svc_origins o WHERE store = $1`,
        values: [storeId],
      });
      return [counted ? counted.split(',').map(Number) : [], waiting, dropped];
    },
    crowd: (waiting, bytes = 0) =>
      owner.rows({
        text: 'UPDATE svc_origins SET unconfirmed = $2, unconfirmed_bytes = $3 WHERE store = $1',
        values: [storeId, waiting, bytes],
      }),
    forget: () => far.rows({ text: 'SELECT svc_forget_store($1, $2)', values: [storeId, 'ann'] }),
    trust,
    verify: () => verifyChain(far, { origin: storeId }),
  };
}

export function at(records: readonly ReceivedRecord[], position: number): ReceivedRecord {
  const record = records[position - 1];
  assert.ok(record);
  return record;
}

/** A record that continues the real chain and says something else. */
export function forged(records: readonly ReceivedRecord[], position: number, n = 666): ReceivedRecord {
  const [real, id, data] = [at(records, position), newUuid(), JSON.stringify({ n })];
  const before = position === 1 ? genesis : at(records, position - 1).hash;
  const digest = digestOf({ ...real, data, publish: true });
  const record = {
    ...real,
    position,
    recordedAt: Date.parse(real.recordedAt) * 1_000 + Number(/(\d{3})Z$/.exec(real.recordedAt)?.[1] ?? 0),
    eventId: Buffer.from(id.replaceAll('-', ''), 'hex'),
  };
  return { ...real, id, data, digest, hash: hashAfter(before, record, digest) };
}

export const through = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);
