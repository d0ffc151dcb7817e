import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodeEnvelope } from '../envelope/envelope-codec.js';
import type { Database } from '../database/database.js';
import type { Inbox } from '../inbox/inbox.js';
import { postgresInbox } from '../inbox/postgres-inbox.js';
import { prune } from '../store/prune.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { listDeadLetters, resolveDeadLetter, showDeadLetter } from './dead-letters.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';

const test = suite('dead letters');

const by = (database: Database, changedBy: string, reason?: string) => ({
  database,
  operator: { host: 'desk', changedBy },
  reason,
});

/** Three events that were all rejected for good. */
const withDeadLetters = (body: (database: Database) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const timestamp = new Date().toISOString();
    const events = ['Baked', 'Sold', 'Eaten'].map((messageType) => ({
      messageId: newUuid(),
      messageType,
      payload: { loaves: 3 },
      timestamp,
      v: 1,
    }));
    await migrated.openStore().append(newUuid(), events);
    const outbox = postgresOutbox(database, newUuid(), newUuid());
    await outbox.acquireLease(60_000);
    const rejection = { attempts: 5, error: 'RangeError: no place', fingerprint: '0123456789ab' };
    for (const message of await outbox.page(0, 3)) await outbox.deadLetter(message, rejection);
    await body(database);
  });

test('the oldest comes first, with the time it died in UTC', () =>
  withDeadLetters(async (database) => {
    const letters = await listDeadLetters(database);
    assert.equal(
      letters.map(({ id, messageType }) => [id, messageType]),
      [
        [1, 'Baked'],
        [2, 'Sold'],
        [3, 'Eaten'],
      ],
    );
    const age = Date.now() - Date.parse(letters[0]?.deadAt ?? '');
    assert.ok(Math.abs(age) < 60_000);
    assert.not('resolvedAt' in (letters[0] ?? {}));
  }));

test('a dead letter is shown with its message; an unknown id is not found', () =>
  withDeadLetters(async (database) => {
    const shown = await showDeadLetter(database, 2);
    const message = shown?.message as StoredEvent | undefined;
    assert.equal([message?.messageType, message?.payload], ['Sold', { loaves: 3 }]);
    assert.is(await showDeadLetter(database, 7), undefined);
  }));

test('a dead letter that was discarded or replayed is no longer open, and cannot be resolved twice', () =>
  withDeadLetters(async (database) => {
    assert.ok(await resolveDeadLetter(by(database, 'ada', 'stale'), 1, 'discard'));
    assert.ok(await resolveDeadLetter(by(database, 'ada'), 2, 'replay'));
    assert.not(await resolveDeadLetter(by(database, 'bob'), 1, 'replay'));
    assert.not(await resolveDeadLetter(by(database, 'bob'), 2, 'replay'));
    assert.not(await resolveDeadLetter(by(database, 'bob'), 7, 'discard'));
    assert.equal(
      (await listDeadLetters(database)).map(({ id, state }) => [id, state]),
      [
        [2, 'replaying'],
        [3, 'dead'],
      ],
    );
    const discarded = await showDeadLetter(database, 1);
    assert.equal([discarded?.state, discarded?.resolvedBy, discarded?.reason], ['discarded', 'ada', 'stale']);
    assert.ok(discarded?.resolvedAt);
  }));

test('a dead letter that waits for its replay can still be discarded', () =>
  withDeadLetters(async (database) => {
    await resolveDeadLetter(by(database, 'ada'), 1, 'replay');
    assert.ok(await resolveDeadLetter(by(database, 'bob'), 1, 'discard'));
    assert.is((await showDeadLetter(database, 1))?.resolvedBy, 'bob');
  }));

const received = (body: Uint8Array) => ({
  messageId: undefined,
  messageType: 'Baked',
  subject: 'svc.events.Baked',
  headers: { 'svc-host': 'far-away' },
  body,
  error: 'invalid-message: garbage',
  fingerprint: '0123456789ab',
});

test('a received dead letter is shown as it arrived, as far as it can be read', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const inbox = postgresInbox(database, newUuid());
    await inbox.acquireLease(60_000);
    await inbox.storeDeadLetters([received(encodeEnvelope({ loaves: 3 } as never))]);
    await inbox.storeDeadLetters([received(Buffer.from([0x93]))]);
    const [readable, garbage] = [await showDeadLetter(database, 1), await showDeadLetter(database, 2)];
    assert.equal([readable?.source, readable?.message], ['inbox', { loaves: 3 }]);
    assert.equal(
      [garbage?.message, garbage?.bytes, garbage?.headers],
      [undefined, 1, { 'svc-host': 'far-away' }],
    );
  }));

test('a truncated dead letter can be discarded, not replayed', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const inbox = postgresInbox(database, newUuid());
    await inbox.acquireLease(60_000);
    await inbox.storeDeadLetters([received(Buffer.alloc(10_000_000))]);
    const shown = await showDeadLetter(database, 1);
    assert.equal([shown?.bytes, shown?.bytesKept], [10_000_000, 1 << 20]);
    assert.not(await resolveDeadLetter(by(database, 'ada'), 1, 'replay'));
    assert.ok(await resolveDeadLetter(by(database, 'ada'), 1, 'discard'));
  }));

/** Ways to settle the first dead letter. */
const settled: Readonly<Record<string, (database: Database, inbox: Inbox) => Promise<unknown>>> = {
  discarded: (database) => resolveDeadLetter(by(database, 'ada'), 1, 'discard'),
  replayed: async (database, inbox) => {
    await resolveDeadLetter(by(database, 'ada'), 1, 'replay');
    await inbox.markReplayed(await inbox.pendingReplays());
  },
};

for (const [state, settle] of Object.entries(settled)) {
  test(`a received dead letter that is ${state} keeps its row, without body and headers`, () =>
    withMigratedDatabase(async ({ connect }) => {
      const database = connect();
      const inbox = postgresInbox(database, newUuid());
      await inbox.acquireLease(60_000);
      await inbox.storeDeadLetters([received(Buffer.from('a card'))]);
      await settle(database, inbox);
      const shown = await showDeadLetter(database, 1);
      assert.equal([shown?.state, shown?.message, shown?.headers], [state, undefined, undefined]);
      assert.equal([shown?.bytes, shown?.bytesKept], [6, 0]);
      const [row] = await database.rows({ text: 'SELECT body, headers FROM svc_stuck_work' });
      assert.equal(row, [null, null]);
    }));
}

test('a discarded message that comes again stays discarded, and a replayed one is a new dead letter', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const inbox = postgresInbox(database, newUuid());
    await inbox.acquireLease(60_000);
    const [wanted, unwanted] = [received(Buffer.from('wanted')), received(Buffer.from('unwanted'))];
    await inbox.storeDeadLetters([wanted, unwanted]);
    await settled['replayed']?.(database, inbox);
    await resolveDeadLetter(by(database, 'ada'), 2, 'discard');
    assert.equal(await inbox.storeDeadLetters([wanted, unwanted]), ['kept', 'known']);
    assert.equal(
      (await listDeadLetters(database)).map(({ id, state }) => [id, state]),
      [[3, 'dead']],
    );
    assert.is((await showDeadLetter(database, 3))?.bytesKept, wanted.body.length);
    assert.is((await showDeadLetter(database, 2))?.bytesKept, 0);
  }));

test('a dead letter goes 30 days after it was settled, unless the relay is before it; one that waits stays', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [database, owner] = [connect(), connect({ owner: true })];
    await owner.rows({
      text: `INSERT INTO svc_stuck_work(id, follower, key, position, state, attempts, resolved_at)
        SELECT n, follower, n, position, state, 1, now() - days * interval '1 day'
        FROM (VALUES (1, 'inbox', NULL, 'replayed', 31), (2, 'inbox', NULL, 'discarded', 31), (3, 'inbox', NULL, 'discarded', 29),
          (4, 'outbox', 5, 'discarded', 31), (5, 'outbox', 6, 'discarded', 31), (6, 'inbox', NULL, 'parked', NULL))
          l(n, follower, position, state, days)`,
    });
    await owner.rows({ text: "UPDATE svc_progress SET position = 5 WHERE name = 'outbox'" });
    await prune(database);
    assert.equal(await database.rows({ text: 'SELECT id FROM svc_stuck_work ORDER BY id' }), [
      ['3'],
      ['5'],
      ['6'],
    ]);
  }));
