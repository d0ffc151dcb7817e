import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { headSigner } from '../testing/signed-heads.js';
import type { ReceivedRecord } from './inbox.js';
import { postgresInbox } from './postgres-inbox.js';
import { readReceivedGaps, type ReceivedGap } from './received-gaps.js';

const test = suite('received gaps');

const leaseMs = 60_000;
const hashAt = (position: number): Buffer => Buffer.alloc(32, position);

interface Scene {
  readonly store: string;
  readonly receive: (...positions: number[]) => Promise<unknown>;
  readonly announce: (position: number, hash?: Buffer) => Promise<unknown>;
  readonly gaps: () => Promise<readonly ReceivedGap[]>;
}

const withReceived = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const inbox = postgresInbox(database, newUuid());
    const store = newUuid();
    const signed = headSigner(store);
    await inbox.acquireLease(leaseMs);
    const record = (streamPosition: number): ReceivedRecord => ({
      store,
      streamPosition,
      id: `00000000-0000-4000-8000-${String(streamPosition).padStart(12, '0')}`,
      type: 'CommandAudited',
      data: '{}',
      metadata: '{"v":1}',
      host: 'north',
      originalPosition: 0,
      omitted: false,
      digest: hashAt(0),
      hash: hashAt(streamPosition),
      recordedAt: new Date().toISOString(),
      globalPosition: streamPosition,
    });
    await body({
      store,
      receive: (...positions) => inbox.storeRecords(positions.map(record), leaseMs),
      announce: (position, hash = hashAt(position)) =>
        inbox.storeHead(store, signed({ position, hash: hash.toString('hex') }), leaseMs),
      gaps: () => readReceivedGaps(database),
    });
  });

test('records without a hole up to the head are not a gap; records from before we subscribed are none either', () =>
  withReceived(async ({ receive, announce, gaps }) => {
    await receive(40, 41, 42);
    await announce(42);
    assert.equal(await gaps(), []);
  }));

test('a hole is counted, and closed when its records are sent again', () =>
  withReceived(async ({ store, receive, gaps }) => {
    await receive(1, 2, 6, 9);
    assert.equal(await gaps(), [{ store, missing: 5, differs: false }]);
    await receive(2, 3, 4, 5, 6);
    assert.equal(await gaps(), [{ store, missing: 2, differs: false }]);
    await receive(7, 8);
    assert.equal(await gaps(), []);
  }));

test('the head alone reveals that the last records are missing', () =>
  withReceived(async ({ store, receive, announce, gaps }) => {
    await receive(1, 2);
    await announce(540);
    assert.equal(await gaps(), [{ store, missing: 538, differs: false }]);
  }));

test('a head with another hash is a chain that differs', () =>
  withReceived(async ({ store, receive, announce, gaps }) => {
    await receive(1, 2);
    await announce(2, hashAt(7));
    assert.equal(await gaps(), [{ store, missing: 0, differs: true }]);
  }));
