import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { connect } from '../database/connect.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { type ChainReport, verifyChain } from './verify-chain.js';

const test = suite('verify chain');

interface Chain {
  readonly database: Database;
  /** Stores this many records, some of them about an event. */
  grow(count: number): Promise<void>;
  /** Bypasses the triggers, as someone with full access to the server could. */
  tamper(sql: string): Promise<void>;
}

const withChain = (body: (chain: Chain) => Promise<void>) =>
  withMigratedDatabase(async ({ url, connect: open, openStore }) => {
    const store = openStore();
    const grow = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const event = { streamId: newUuid(), envelope: envelope('ShopOpened', { n }) };
        const records = [
          { envelope: envelope('EventAudited', { n, text: 'ü \\ "' }), of: event, publish: false },
          { envelope: envelope('CommandAudited', { n }), publish: false },
        ];
        await store.commit({ events: [event], records, expected: new Map() });
      }
    };
    const tamper = async (sql: string) => {
      const owner = await connect(url);
      await owner.query('SET session_replication_role = replica');
      await owner.query(sql);
      await owner.end();
    };
    await body({ database: open(), grow, tamper });
  });

const envelope = (messageType: string, payload: unknown) => ({
  messageId: newUuid(),
  messageType,
  payload,
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

test('an empty stream verifies', () =>
  withChain(async ({ database }) => {
    assert.equal(await verifyChain(database), { ok: true, records: 0, head: { position: 0, hash: '00' } });
  }));

test('the chain of the commit procedure verifies, and its head is the last stored hash', () =>
  withChain(async ({ database, grow }) => {
    await grow(5);
    const report = await verifyChain(database);
    const [row] = await database.rows({
      text: `SELECT encode(hash, 'hex') FROM svc_system_events ORDER BY stream_position DESC LIMIT 1`,
    });
    assert.equal(report, { ok: true, records: 10, head: { position: 10, hash: row?.[0] } });
  }));

for (const [what, sql, firstBroken] of [
  ['data that was changed', `UPDATE svc_system_events SET data = '{"n":9}' WHERE stream_position = 3`, 3],
  [
    'a body that was only written differently',
    `UPDATE svc_system_events SET data = replace(data::text, ':', ': ')::json WHERE stream_position = 4`,
    4,
  ],
  [
    'a type that was changed',
    `UPDATE svc_system_events SET event_type = 'Nothing' WHERE stream_position = 3`,
    3,
  ],
  [
    'a time that was changed by a microsecond',
    `UPDATE svc_system_events SET recorded_at = recorded_at + interval '1 microsecond' WHERE stream_position = 2`,
    2,
  ],
  [
    'an id that was changed',
    `UPDATE svc_system_events SET event_id = gen_random_uuid() WHERE stream_position = 5`,
    5,
  ],
  [
    'the position of the audited event that was changed',
    `UPDATE svc_system_events SET original_position = 2 WHERE stream_position = 1`,
    1,
  ],
  [
    'the position of an audited event that was removed',
    `UPDATE svc_system_events SET original_position = NULL WHERE stream_position = 1`,
    1,
  ],
  [
    'a position that was changed',
    `UPDATE svc_system_events SET stream_position = 99 WHERE stream_position = 6`,
    6,
  ],
  [
    'a hash that was changed',
    `UPDATE svc_system_events SET hash = sha256('forged') WHERE stream_position = 4`,
    4,
  ],
  ['a row in the middle that was deleted', `DELETE FROM svc_system_events WHERE stream_position = 5`, 5],
  ['the first row that was deleted', `DELETE FROM svc_system_events WHERE stream_position = 1`, 1],
  [
    'two rows that were swapped',
    `UPDATE svc_system_events SET stream_position = -stream_position WHERE stream_position IN (4, 5);
     UPDATE svc_system_events SET stream_position = 9 + stream_position WHERE stream_position < 0`,
    4,
  ],
  [
    'a forged row before the first',
    `INSERT INTO svc_system_events SELECT 0, 0, gen_random_uuid(), event_type, data, metadata, NULL, false, digest, hash, host, recorded_at
       FROM svc_system_events WHERE stream_position = 1`,
    1,
  ],
] as const) {
  test(`${what} is found at ${firstBroken}`, () =>
    withChain(async ({ database, grow, tamper }) => {
      await grow(4);
      const before = await verifyChain(database);
      assert.is(before.ok, true);
      await tamper(sql);
      const report = await verifyChain(database);
      assert.is(report.ok, false);
      assert.is(report.firstBroken, firstBroken);
      assert.is(report.records, firstBroken - 1);
      assert.is(report.head.position, firstBroken - 1);
    }));
}

test('no column of a record can be changed without being found', () =>
  withChain(async ({ database, grow, tamper }) => {
    await grow(4);
    // From the last record to the first: each is found before those that were changed earlier.
    for (const [firstBroken, change] of [
      [8, 'global_position = 1000'],
      [7, 'publish = true'],
      [6, "host = 'another'"],
      [5, `metadata = '{"scope":{"userId":"nobody"},"v":1}'`],
      [4, "event_type = 'Nothing'"],
    ] as const) {
      await tamper(`UPDATE svc_system_events SET ${change} WHERE stream_position = ${firstBroken}`);
      const report = await verifyChain(database);
      assert.equal([report.ok, report.firstBroken], [false, firstBroken], change);
    }
  }));

test('newest rows that were deleted are found by comparing with an earlier head', () =>
  withChain(async ({ database, grow, tamper }) => {
    await grow(3);
    const { head } = await verifyChain(database);
    await tamper('DELETE FROM svc_system_events WHERE stream_position > 4');
    assert.is((await verifyChain(database)).ok, true, 'the remaining chain verifies by itself');
    const { ok, firstBroken, records }: ChainReport = await verifyChain(database, { against: head });
    assert.equal([ok, firstBroken, records], [false, 5, 4]);
  }));

test('a chain that was rewritten is found by comparing with an earlier head', () =>
  withChain(async ({ database, grow, tamper }) => {
    await grow(3);
    const { head } = await verifyChain(database);
    await tamper('TRUNCATE svc_system_events, svc_events');
    await grow(4);
    assert.is((await verifyChain(database)).ok, true);
    const { ok, firstBroken } = await verifyChain(database, { against: head });
    assert.equal([ok, firstBroken], [false, head.position]);
  }));

test('an earlier head still verifies after the chain has grown', () =>
  withChain(async ({ database, grow }) => {
    const heads = [(await verifyChain(database)).head];
    for (let round = 0; round < 3; round++) {
      await grow(2);
      heads.push((await verifyChain(database)).head);
    }
    for (const against of heads) assert.is((await verifyChain(database, { against })).ok, true);
  }));

test('records stored during a verification are left to the next one', () =>
  withChain(async ({ database, grow }) => {
    await grow(20);
    const growing = grow(20);
    const report = await verifyChain(database);
    await growing;
    assert.is(report.ok, true);
    assert.is((await verifyChain(database, { against: report.head })).records, 80);
  }));

test('bodies of 5 MB are verified', () =>
  withMigratedDatabase(async ({ connect: open, openStore }) => {
    const body = { text: 'x'.repeat(5 * 1024 * 1024) };
    const records = [{ envelope: envelope('CommandAudited', body), publish: false }];
    await openStore().commit({ events: [], records, expected: new Map() });
    assert.is((await verifyChain(open())).ok, true);
  }));
