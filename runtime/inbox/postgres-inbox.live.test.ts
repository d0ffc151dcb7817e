import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';
import type { PostgresStore } from '../store/postgres-event-store.js';
import { collect } from '../kit/collect.js';
import { ForeignStore } from '../testing/foreign-events.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { receivedLetters } from '../testing/received-letters.js';
import { headSigner } from '../testing/signed-heads.js';
import {
  type Inbox,
  type InboxLease,
  LeaseLost,
  type ReceivedDeadLetter,
  type ReceivedEvent,
} from './inbox.js';
import { postgresInbox } from './postgres-inbox.js';
import type { ReceivedEnvelope } from './read-envelope.js';
import { eventOf } from './received-rows.js';

const test = suite('postgres inbox');

const leaseMs = 60_000;

interface Scene {
  readonly inbox: Inbox;
  readonly another: Inbox;
  readonly log: PostgresStore;
  readonly database: Database;
  readonly owner: Database;
  readonly bakery: ForeignStore;
  readonly keep: (...envelopes: ReceivedEnvelope[]) => Promise<unknown>;
}

const withInbox = (body: (scene: Scene) => Promise<void>): Promise<void> =>
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

const local = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Sold',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

const grantOf = (grant: InboxLease) => ({ ...grant, remainingMs: undefined });

test('an event that was under way when its store was forgotten is not stored, and is once it is trusted again', () =>
  withInbox(async ({ database, bakery, keep }) => {
    await keep(bakery.event(newUuid()));
    const late = bakery.event(newUuid());
    await database.rows({ text: 'SELECT svc_forget_store($1, $2)', values: [bakery.id, 'ann'] });
    assert.equal(await keep(late), ['duplicate']);
    await database.rows({ text: 'SELECT svc_trust_store($1, NULL, $2)', values: [bakery.id, 'ann'] });
    assert.equal(await keep(late), ['stored']);
  }));

test('an event of another store is stored with its origin, its position and its time, and readAll returns its store', () =>
  withInbox(async ({ log, bakery, keep }) => {
    const stream = newUuid();
    const occurredAt = '2026-03-01T09:30:00.123456Z';
    const [first, second] = [bakery.event(stream, { occurredAt }), bakery.event(stream, { occurredAt })];
    await log.append(newUuid(), local());
    assert.equal(await keep(first, second), ['stored', 'stored']);
    await log.append(newUuid(), local());
    const all = await collect(log.readAll({ after: 0 }));
    assert.equal(
      all.map(({ messageType, globalPosition, store }) => [messageType, globalPosition, store]),
      [
        ['Sold', 1, undefined],
        ['Baked', 2, bakery.id],
        ['Baked', 3, bakery.id],
        ['Sold', 4, undefined],
      ],
    );
    const found = all[1];
    assert.equal(
      [found?.messageId, found?.streamId, found?.streamPosition, found?.payload, found?.occurredAt],
      [first.messageId, stream, 1, { loaves: 1 }, occurredAt],
    );
    assert.equal([found?.correlationId, found?.host, found?.v], ['monday', 'far-away', 1]);
  }));

test('the same message again is a duplicate, in one batch or in two', () =>
  withInbox(async ({ database, bakery, keep }) => {
    const event = bakery.event(newUuid());
    assert.equal(await keep(event, event), ['stored', 'duplicate']);
    assert.equal(await keep(event), ['duplicate']);
    assert.equal(await database.rows({ text: 'SELECT count(*) FROM svc_events' }), [['1']]);
  }));

test('a position or an id that holds another event is taken', () =>
  withInbox(async ({ bakery, keep }) => {
    const event = bakery.event(newUuid());
    await keep(event);
    assert.equal(
      await keep(
        { ...event, messageId: newUuid() },
        { ...event, payload: { loaves: 99 } },
        { ...event, messageType: 'Burnt' },
        { ...event, streamPosition: 7 },
      ),
      ['place-taken', 'place-taken', 'place-taken', 'place-taken'],
    );
    assert.equal(
      await keep({ ...event, store: newUuid() }),
      ['stored'],
      'another store has its own positions',
    );
  }));

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test('an event dated more than 5 minutes after its recording is rejected', () =>
  withInbox(async ({ bakery, keep }) => {
    const stream = newUuid();
    assert.equal(
      await keep(
        bakery.event(stream, { occurredAt: inMinutes(6) }),
        bakery.event(stream, { occurredAt: inMinutes(4) }),
      ),
      ['in-the-future', 'stored'],
    );
  }));

test('the times of a store whose clock is an hour ahead are accepted, in its order', () =>
  withInbox(async ({ database, log, bakery, keep }) => {
    const stream = newUuid();
    const ahead = (minutes: number) =>
      bakery.event(stream, { occurredAt: inMinutes(minutes), recordedAt: inMinutes(minutes) });
    const sent = [ahead(0), ahead(60), ahead(61), ahead(61)];
    assert.equal(await keep(...sent), ['stored', 'stored', 'stored', 'stored']);
    const own = await log.append(stream, local());
    assert.equal(own.positions, [1]);
    await log.append(newUuid(), local());
    const rows = await database.rows({
      text: `SELECT event_type, global_position, occurred_at < now() + interval '5 minutes' FROM svc_events ORDER BY occurred_at, stream_position`,
    });
    assert.equal(
      rows.map((row) => row.join(' ')),
      ['Baked 1 t', 'Sold 6 t', 'Baked 2 f', 'Baked 3 f', 'Baked 4 f', 'Sold 5 f'],
      'our own events in the stream come after it, and other streams are not affected',
    );
  }));

test('times more than a day ahead are rejected', () =>
  withInbox(async ({ bakery, keep }) => {
    const far = inMinutes(25 * 60);
    assert.equal(await keep(bakery.event(newUuid(), { occurredAt: far, recordedAt: far })), [
      'in-the-future',
    ]);
  }));

test('a store whose own clock jumped ahead and back rejects nothing', () =>
  withInbox(async ({ owner, log, bakery, keep }) => {
    await owner.rows({
      text: `INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
        SELECT 1, gen_random_uuid(), 1, gen_random_uuid(), 'Sold', '{}', '{"v":1}', 'here', at, at FROM (SELECT clock_timestamp() + interval '1 hour' AS at) a`,
    });
    const stream = newUuid();
    await log.append(stream, local());
    await log.append(stream, [local()], { occurredAt: inMinutes(4) });
    await log.append(stream, [local()], { occurredAt: inMinutes(-4) });
    assert.equal(await keep(bakery.event(stream)), ['stored']);
    assert.is((await collect(log.readAll({ after: 0 }))).length, 5);
  }));

test('an event that happened before the last one of its stream is late, and perspectives will rewind for it', () =>
  withInbox(async ({ database, owner, log, bakery, keep }) => {
    await owner.rows({ text: "INSERT INTO svc_leases(name) VALUES ('svc_per_oven'), ('svc_per_shop')" });
    await owner.rows({
      text: `INSERT INTO svc_perspectives(table_name, name, hash, types, origin, by_stream)
        VALUES ('svc_per_oven', 'oven', '00', '{Baked}', 'all', true), ('svc_per_shop', 'shop', '01', '{Baked}', 'own', true)`,
    });
    const stream = newUuid();
    await log.append(stream, local());
    const late = bakery.event(stream, { occurredAt: '2026-03-01T09:30:00Z' });
    await keep(late, bakery.event(stream), bakery.event(newUuid()));
    assert.equal(await database.rows({ text: 'SELECT late FROM svc_events ORDER BY global_position' }), [
      ['f'],
      ['t'],
      ['f'],
      ['f'],
    ]);
    const rewinds = await database.rows({
      text: 'SELECT event_id, names FROM svc_rewinds JOIN svc_events USING (global_position)',
    });
    assert.equal(rewinds, [[late.messageId, '{oven}']], 'but those that take own events only');
  }));

test('it is not part of our own streams: positions, reads and expectations cover our own events only', () =>
  withInbox(async ({ log, bakery, keep }) => {
    const stream = newUuid();
    await keep(bakery.event(stream), bakery.event(stream));
    assert.is(await log.lastPosition(stream), 0);
    assert.equal(await collect(log.read(stream)), []);
    const { positions } = await log.append(stream, local(), { expectedPosition: 0 });
    assert.equal(positions, [1]);
  }));

test('it is never published again', () =>
  withInbox(async ({ database, bakery, keep }) => {
    await keep(bakery.event(newUuid()));
    assert.equal(await postgresOutbox(database, newUuid(), newUuid()).page(0, 10), []);
    assert.equal(await database.rows({ text: 'SELECT * FROM svc_outbox_pending' }), []);
  }));

const mustLose = async (change: Promise<unknown>): Promise<void> =>
  assert.instance(await change.catch((error: unknown) => error), LeaseLost);

test('a subscriber without the lease changes nothing', () =>
  withInbox(async ({ inbox, another, database, bakery }) => {
    assert.equal((await another.acquireLease(leaseMs)).held, false);
    await mustLose(another.storeEvents([eventOf(bakery.event(newUuid()))], leaseMs));
    assert.equal(await database.rows({ text: 'SELECT * FROM svc_events' }), []);
    await inbox.acquireLease(0);
    assert.equal(grantOf(await another.acquireLease(leaseMs)), {
      held: true,
      remainingMs: undefined,
      hasReplays: false,
      rereads: 0,
      streams: {},
    });
    await mustLose(inbox.storeEvents([eventOf(bakery.event(newUuid()))], leaseMs));
  }));

test('storing renews the lease', () =>
  withInbox(async ({ inbox, another, bakery }) => {
    await inbox.acquireLease(1);
    await inbox.storeEvents([eventOf(bakery.event(newUuid()))], leaseMs);
    assert.is((await another.acquireLease(leaseMs)).held, false);
  }));

test('one message that the server can never store does not keep the others from being stored', () =>
  withInbox(async ({ inbox, bakery }) => {
    const good = () => eventOf(bakery.event(newUuid()));
    const never: ReceivedEvent = { ...good(), occurredAt: '0000-01-01T00:00:00Z' };
    const kept = await inbox.storeEvents([good(), never, good()], leaseMs);
    assert.ok(Array.isArray(kept));
    assert.equal([kept[0], typeof kept[1], kept[2]], ['stored', 'object', 'stored']);
  }));

test('recorded times never decrease, and positions have no gaps, whichever host writes', () =>
  withInbox(async ({ database, log, bakery, keep }) => {
    const stream = newUuid();
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? log.append(newUuid(), local()) : keep(bakery.event(stream), bakery.event(stream)),
      ),
    );
    const [row] = await database.rows({
      text: `SELECT count(*), max(global_position), bool_and(recorded_at >= before) FROM
        (SELECT global_position, recorded_at, lag(recorded_at, 1, '-infinity') OVER (ORDER BY global_position) AS before FROM svc_events) e`,
    });
    assert.equal(row, ['60', '60', 't']);
  }));

const inventStores = (owner: Database, from: number, to: number, seen: string) =>
  owner.rows({
    text: `INSERT INTO svc_origins(origin, store, first_seen)
      SELECT n, gen_random_uuid(), clock_timestamp() - interval '${seen}' FROM generate_series(${from}, ${to}) n`,
  });

test('beyond the first 1,000 stores 20 new ones an hour are accepted: a real one gets in after forged ones', () =>
  withInbox(async ({ owner, bakery, keep }) => {
    await keep(bakery.event(newUuid()));
    await inventStores(owner, 2, 990, '0');
    const invented = Array.from({ length: 40 }, () => new ForeignStore().event(newUuid()));
    const kept = (await keep(...invented)) as string[];
    assert.equal([kept.filter((one) => one === 'stored').length, kept.at(-1)], [10, 'too-many-stores']);
    assert.equal(await keep(bakery.event(newUuid())), ['stored'], 'a known store continues');
    await owner.rows({ text: "UPDATE svc_origins SET first_seen = first_seen - interval '1 hour'" });
    const real = new ForeignStore();
    assert.equal(await keep(real.event(newUuid()), real.event(newUuid())), ['stored', 'stored']);
  }));

test('an operator can admit a store beyond the limit, up to 10,000', () =>
  withInbox(async ({ owner, inbox, keep }) => {
    await inventStores(owner, 1, 9_999, '0');
    const [real, another] = [new ForeignStore(), new ForeignStore()];
    const [first, second] = [real.event(newUuid()), another.event(newUuid())];
    assert.equal(await keep(first), ['too-many-stores']);
    for (const { id } of [real, another]) assert.is(await inbox.admitStore(id, leaseMs), undefined);
    assert.equal(await keep(first, second), ['stored', 'too-many-stores']);
  }));

test('a message that cannot be stored, or a head alone, does not register a store', () =>
  withInbox(async ({ inbox, database, bakery, keep }) => {
    const far = inMinutes(25 * 60);
    await keep(bakery.event(newUuid(), { occurredAt: far, recordedAt: far }));
    const head = headSigner(bakery.id)({ position: 7, hash: 'ab'.repeat(32) });
    assert.is(await inbox.storeHead(bakery.id, head, leaseMs), 'unknown');
    assert.equal(await database.rows({ text: 'SELECT count(*) FROM svc_origins' }), [['1']]);
  }));

test('a dead letter is kept as received, once, however often it arrives', () =>
  withInbox(async ({ inbox, database }) => {
    const letter = {
      messageId: undefined,
      messageType: 'Baked',
      subject: 'svc.events.Baked',
      headers: { 'svc-host': 'far\0away' },
      body: Buffer.alloc((1 << 20) + 5, 7),
      error: 'invalid-message: garbage',
      fingerprint: '0123456789ab',
    };
    assert.equal(await inbox.storeDeadLetters([letter]), ['kept']);
    assert.equal(await inbox.storeDeadLetters([letter]), ['known']);
    assert.equal(await inbox.storeDeadLetters([{ ...letter, subject: 'svc.events.Sold' }]), ['kept']);
    const [row] = await database.rows({
      text: `SELECT attempts, length(body), bytes, headers ->> 'svc-host', follower FROM svc_stuck_work ORDER BY id LIMIT 1`,
    });
    assert.equal(row, ['2', String(1 << 20), String((1 << 20) + 5), 'faraway', 'inbox']);
  }));

const aLetter = (text: string): ReceivedDeadLetter => ({
  messageId: newUuid(),
  messageType: 'Baked',
  subject: 'svc.events.Baked',
  headers: {},
  body: Buffer.from(text),
  error: 'invalid-message: garbage',
  fingerprint: '0123456789ab',
});

test('beyond 10,000 dead letters none is kept, until there is room again', () =>
  withInbox(async ({ inbox, owner }) => {
    await owner.rows({ text: receivedLetters(9998) });
    const [one, two, three] = [aLetter('one'), aLetter('two'), aLetter('three')];
    assert.equal(await inbox.storeDeadLetters([one, one, two, three]), ['kept', 'known', 'kept', 'full']);
    assert.equal(await inbox.storeDeadLetters([three, two]), ['full', 'known']);
    await owner.rows({ text: "SELECT svc_resolve_dead_letters('{1}', 'discarded', 'ada', 'stale')" });
    assert.equal(await inbox.storeDeadLetters([three]), ['kept']);
  }));

test('hosts that died handling a message alone are counted, each once, until one finishes it', () =>
  withInbox(async ({ inbox, another }) => {
    const [poison, other] = [aLetter('poison'), aLetter('other')];
    assert.is(await inbox.beginAttempt(poison), 1);
    assert.is(await inbox.beginAttempt(poison), 1, 'the same host again');
    await mustLose(another.beginAttempt(poison));
    await inbox.acquireLease(0);
    await another.acquireLease(leaseMs);
    assert.equal([await another.beginAttempt(poison), await another.beginAttempt(other)], [2, 1]);
    await another.endAttempt(poison);
    assert.is(await another.beginAttempt(poison), 1);
  }));

test('a replayed dead letter is handed out as it was received', () =>
  withInbox(async ({ inbox, database }) => {
    const body = Buffer.from([1, 2, 255]);
    const letter = {
      messageId: newUuid(),
      messageType: 'Baked',
      subject: 'svc.events.Baked',
      headers: { 'svc-host': 'far-away' },
      body,
      error: 'place-taken: so it is',
      fingerprint: '0123456789ab',
    };
    await inbox.storeDeadLetters([letter]);
    await database.rows({ text: "SELECT svc_resolve_dead_letters('{1}', 'retrying', 'ada', NULL)" });
    assert.equal(grantOf(await inbox.acquireLease(leaseMs)), {
      held: true,
      remainingMs: undefined,
      hasReplays: true,
      rereads: 0,
      streams: {},
    });
    const [replay] = await inbox.pendingReplays();
    assert.ok(replay);
    const { subject, headers } = replay;
    assert.equal([subject, headers], ['svc.events.Baked', { 'svc-host': 'far-away' }]);
    assert.ok(body.equals(replay.body));
    await inbox.markReplayed([replay]);
    assert.equal(grantOf(await inbox.acquireLease(leaseMs)), {
      held: true,
      remainingMs: undefined,
      hasReplays: false,
      rereads: 0,
      streams: {},
    });
  }));
