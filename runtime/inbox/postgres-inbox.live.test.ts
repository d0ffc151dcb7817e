import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresOutbox } from '../outbox/postgres-outbox.js';
import { collect } from '../kit/collect.js';
import { grantOf, leaseMs, local, mustLose, withInbox } from '../testing/inbox-scene.js';
import type { ReceivedEvent } from './inbox.js';
import { eventOf } from './received-rows.js';

const test = suite('postgres inbox');

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
