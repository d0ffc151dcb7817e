import * as assert from 'uvu/assert';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { connect } from '../database/connect.js';
import type { Database } from '../database/database.js';
import type { Inbox } from '../inbox/inbox.js';
import { postgresInbox } from '../inbox/postgres-inbox.js';
import { receivedRecordOf } from '../inbox/received-rows.js';
import type { ReceivedEnvelope } from '../inbox/read-envelope.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { headSigner } from '../testing/signed-heads.js';
import { publishedHead } from '../trust/published-head.js';
import type { ChainHead } from './chain.js';
import { verifyChain } from './verify-chain.js';

const test = suite('received chain');

const leaseMs = 60_000;

interface Scene {
  readonly origin: string;
  readonly inbox: Inbox;
  readonly far: Database;
  readonly near: Database;
  readonly tamper: (sql: string) => Promise<void>;
}

/** Twelve records of one store, received by another; some may not have been published. */
const withReceived = (body: (scene: Scene) => Promise<void>, publish: (n: number) => boolean = () => true) =>
  withMigratedDatabase((from) =>
    withMigratedDatabase(async (to) => {
      const [near, far, origin] = [from.connect(), to.connect(), newUuid()];
      const store = from.openStore();
      for (let n = 0; n < 12; n++) {
        const record = { envelope: envelope({ n, text: 'ü \\ "' }), publish: publish(n) };
        await store.commit({ events: [], records: [record], expected: new Map() });
      }
      const outbox = postgresOutbox(near, newUuid(), origin);
      await outbox.acquireLease(leaseMs);
      const page = await outbox.page(0, 12);
      await outbox.advance(0, 12, leaseMs);
      const inbox = postgresInbox(far, newUuid());
      await inbox.acquireLease(leaseMs);
      const records = page.map((sent) => receivedRecordOf(sent.envelope as ReceivedEnvelope, false));
      await inbox.storeRecords(records, leaseMs);
      const tamper = async (sql: string) => {
        const owner = await connect(to.url);
        await owner.query('SET session_replication_role = replica');
        await owner.query(sql);
        await owner.end();
      };
      await body({ origin, inbox, far, near, tamper });
    }),
  );

const envelope = (payload: unknown) => ({
  messageId: newUuid(),
  messageType: 'CommandAudited',
  payload,
  streamId: SystemEventStreams.streamId,
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

test('received records verify, and end with the same head', () =>
  withReceived(async ({ origin, far, near }) => {
    const { head } = await verifyChain(near);
    assert.equal(await verifyChain(far, { origin }), { ok: true, records: 12, head, missing: 0 });
    const published = await publishedHead(near);
    const history = { epoch: 1, forks: '', publishedTo: 12 };
    assert.equal(published, { ...head, at: published?.at, history });
  }));

for (const [what, sql, firstBroken] of [
  ['data that was changed', `SET data = '{"n":9}' WHERE stream_position = 3`, 3],
  [
    'a digest that was changed with its data',
    `SET data = '{}', digest = sha256('CommandAudited{}') WHERE stream_position = 4`,
    4,
  ],
  [
    'a time that was changed',
    `SET recorded_at = recorded_at + interval '1 microsecond' WHERE stream_position = 5`,
    5,
  ],
  ['a hash that was changed', `SET hash = sha256('forged') WHERE stream_position = 6`, 6],
] as const) {
  test(`${what} is found at ${firstBroken}`, () =>
    withReceived(async ({ origin, far, tamper }) => {
      await tamper(`UPDATE svc_received_system_events ${sql}`);
      const report = await verifyChain(far, { origin });
      assert.equal([report.ok, report.firstBroken, report.records], [false, firstBroken, firstBroken - 1]);
    }));
}

test('no column of a received record can be changed without being found', () =>
  withReceived(async ({ origin, far, tamper }) => {
    // From the last record to the first: each is found before those that were changed earlier.
    for (const [firstBroken, change] of [
      [10, 'global_position = 99'],
      [9, "event_type = 'CommandFailed'"],
      [8, "host = 'another'"],
      [7, `metadata = '{"v":2}'`],
      [6, 'original_position = 3'],
    ] as const) {
      await tamper(`UPDATE svc_received_system_events SET ${change} WHERE stream_position = ${firstBroken}`);
      const report = await verifyChain(far, { origin });
      assert.equal([report.ok, report.firstBroken], [false, firstBroken], change);
    }
  }));

test('records that were not published are counted, and the others verify', () =>
  withReceived(
    async ({ origin, far }) => {
      const { ok, records, missing } = await verifyChain(far, { origin });
      assert.equal([ok, records, missing], [true, 9, 3]);
    },
    (n) => n < 4 || n > 6,
  ));

test('the newest head of a store is kept, and one that differs from ours is reported', () =>
  withReceived(async ({ origin, inbox, far, near }) => {
    const head = await publishedHead(near);
    assert.ok(head);
    const signed = headSigner(origin);
    const keep = (announced: ChainHead) => inbox.storeHead(origin, signed(announced), leaseMs);
    assert.is(await keep({ position: 2, hash: '00'.repeat(32) }), 'differs');
    assert.is(await keep(head), 'kept');
    assert.is(await keep({ position: 99, hash: '00'.repeat(32) }), 'kept');
    const text = 'SELECT head_position FROM svc_origins WHERE store = $1';
    assert.equal(await far.rows({ text, values: [origin] }), [['99']]);
    const { ok, records, missing } = await verifyChain(far, { origin });
    assert.equal([ok, records, missing], [true, 12, 87]);
  }));

test('a store that sent nothing cannot be verified', () =>
  withReceived(async ({ far }) => {
    for (const origin of [newUuid(), 'a store']) {
      const failure = await verifyChain(far, { origin }).catch((error: unknown) => error);
      assert.match((failure as Error).message, 'Nothing was received from store');
    }
  }));

test('received records cannot be changed', () =>
  withReceived(async ({ far }) => {
    for (const text of [
      'DELETE FROM svc_received_system_events',
      "UPDATE svc_received_system_events SET host = 'x'",
    ])
      assert.ok((await far.rows({ text }).catch((error: unknown) => error)) instanceof Error);
  }));
