import * as assert from 'uvu/assert';
import { MessageDeadLettered } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { inbound, inboundBytes } from '../../runtime/testing/foreign-events.js';
import { withScene, done } from '../testing/subscriber-fixture.js';
import { headSigner } from '../../runtime/testing/signed-heads.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('batch receiver');

test('a batch is stored in order, each message once', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const { counts } = start();
    await until(() => hub.requests.size === 1);
    const [monday, tuesday] = [newUuid(), newUuid()];
    const batch = [monday, monday, tuesday, monday].map((stream) => inbound(bakery.event(stream)));
    assert.equal(await hub.send(...batch), done(4));
    assert.equal(await hub.send(...batch), done(4));
    assert.equal(
      inbox.received.map(({ streamPosition }) => streamPosition),
      [1, 2, 1, 3],
    );
    assert.equal([counts.received, counts.stored, counts.duplicate], [8, 4, 4]);
  }));

test('messages that are our own, not subscribed to or filtered are acknowledged and counted', () =>
  withScene(async ({ hub, inbox, bakery, own, start }) => {
    const { counts } = start();
    await until(() => hub.requests.size === 1);
    const unwanted = bakery.event(newUuid(), { messageType: 'Burnt' });
    assert.equal(await hub.send(inbound(own.event(newUuid())), inbound(unwanted)), done(2));
    assert.equal([counts.own, counts.unknown, inbox.received.length], [1, 1, 0]);
  }));

test('a poison message becomes a dead letter and is reported, and the others of its batch are stored', () =>
  withScene(async ({ hub, inbox, reported, bakery, start }) => {
    const { counts } = start();
    await until(() => hub.requests.size === 1);
    const poison = inboundBytes('svc.events.Baked', Buffer.from('garbage'));
    const good = () => inbound(bakery.event(newUuid()));
    assert.equal(await hub.send(good(), poison, good()), done(3));
    assert.equal(await hub.send(poison), done(1));
    assert.equal([inbox.received.length, inbox.dead.length, counts.dead], [2, 1, 2]);
    assert.is(reported.length, 1);
    const [report] = reported;
    assert.instance(report, MessageDeadLettered);
    const { messageType, destination, lastError } = report as MessageDeadLettered;
    assert.equal([messageType, destination], ['Baked', 'svc.events.Baked']);
    assert.match(lastError, /^invalid-message: /);
  }));

test('a poison message that claims to be an error event becomes a dead letter without a report', () =>
  withScene(async ({ hub, inbox, reported, start }) => {
    start('us', { receive: 'system' });
    await until(() => hub.requests.size === 2);
    await hub.send(inboundBytes('svc.system.MessageDeadLettered', Buffer.from('x')));
    assert.equal([inbox.dead.length, reported], [1, []]);
  }));

test('when too many dead letters wait, nothing behind the next one is acknowledged until some are resolved', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const subscriber = start();
    await until(() => hub.requests.size === 1);
    const placed = bakery.event(newUuid());
    await hub.send(inbound(placed));
    inbox.room = 0;
    const batch = [
      inbound(bakery.event(newUuid())),
      inbound({ ...placed, messageId: newUuid() }),
      inbound(bakery.event(newUuid())),
    ];
    const [first, second] = await hub.send(...batch);
    assert.is(first, 'done');
    assert.ok(typeof second === 'object' && second.redeliverInMs > 0);
    assert.equal([subscriber.isFull, subscriber.counts.dead], [true, 0]);
    inbox.room = 1;
    assert.equal(await hub.send(...batch.slice(1)), done(2));
    assert.equal([subscriber.isFull, inbox.dead.length, inbox.received.length], [false, 1, 3]);
  }));

test('a message that was delivered twice without an acknowledgement is handled alone, and those behind it wait', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    const fresh = () => inbound(bakery.event(newUuid()));
    const again = { ...fresh(), delivery: 3, unanswered: 2 };
    const later = { redeliverInMs: 0 };
    assert.equal(await hub.send(fresh(), fresh(), again, fresh()), ['done', 'done', later, later]);
    assert.equal(await hub.send(again, fresh()), ['done', later]);
    assert.equal([inbox.received.length, inbox.attempts.size], [3, 0]);
  }));

test('a message that is handled alone is alone among all streams', () =>
  withScene(async ({ hub, inbox: { attempts }, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    let most = 0;
    attempts.set = (key, hosts) => {
      Map.prototype.set.call(attempts, key, hosts);
      most = Math.max(most, attempts.size);
      return attempts;
    };
    const again = () => ({ ...inbound(bakery.event(newUuid())), unanswered: 2 });
    assert.equal(await Promise.all([hub.send(again()), hub.send(again())]), [done(1), done(1)]);
    assert.is(most, 1);
  }));

test('a message under which two hosts died is quarantined: no host handles it again', () =>
  withScene(async ({ hub, inbox, reported, bakery, start }) => {
    const { counts } = start();
    await until(() => hub.requests.size === 1);
    const poison = { ...inbound(bakery.event(newUuid())), unanswered: 4 };
    const key = Buffer.from(poison.body).toString('hex');
    inbox.attempts.set(key, ['one that died', 'another one']);
    assert.equal(await hub.send(poison), done(1));
    assert.equal([inbox.received.length, inbox.dead.length, counts.quarantined], [0, 1, 1]);
    assert.match(inbox.dead[0]?.error ?? '', /^message-quarantined: 2 hosts died/);
    assert.equal(Buffer.from(inbox.dead[0]?.body ?? '').toString('hex'), key);
    assert.is(reported.length, 1);
    assert.not(inbox.attempts.has(key), 'an operator may replay it');
  }));

test('a batch of large messages is classified in pieces: other work runs between them', () =>
  withScene(async ({ hub, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    const payload = Array.from({ length: 80_000 }, (_, n) => ({ [`k${n % 7}`]: n }));
    const large = Array.from({ length: 12 }, () => inbound(bakery.event(newUuid(), { payload })));
    let immediates = 0;
    const countImmediate = (): void => {
      immediates++;
      if (immediates < 1_000) setImmediate(countImmediate);
    };
    setImmediate(countImmediate);
    assert.equal(await hub.send(...large), done(12));
    assert.ok(immediates >= 3, `${immediates} immediates`);
  }));

test('a position that is already occupied makes a dead letter', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    const event = bakery.event(newUuid());
    assert.equal(await hub.send(inbound(event), inbound({ ...event, payload: 'another' })), done(2));
    assert.match(inbox.dead[0]?.error ?? '', /^place-taken: /);
  }));

test('while the store is unavailable everything is redelivered, and nothing is lost', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    const batch = [inbound(bakery.event(newUuid())), inboundBytes('svc.events.Baked', Buffer.from('x'))];
    inbox.failure = new Problem('store-unavailable');
    for (const acknowledgement of await hub.send(...batch))
      assert.ok(typeof acknowledgement === 'object' && acknowledgement.redeliverInMs > 0);
    inbox.failure = undefined;
    assert.equal(await hub.send(...batch), done(2));
    assert.equal([inbox.received.length, inbox.dead.length], [1, 1]);
  }));

test('a replayed dead letter is handled again', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const { subject, body } = inbound(bakery.event(newUuid()));
    inbox.replaying = [{ deadLetterId: '1', subject, body, headers: {}, unanswered: 0 }];
    start();
    await until(() => inbox.replaying.length === 0 && hub.requests.size === 1);
    assert.is(inbox.received.length, 1);
  }));

test('a chain head that differs from ours is counted', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const { counts } = start('us', { types: [], receive: 'system' });
    await until(() => hub.requests.size === 1);
    const signed = headSigner(bakery.id)({ position: 3, hash: 'ab'.repeat(32) });
    const head = { messageType: 'ChainHead', payload: signed.proof };
    assert.equal(await hub.send(inbound(bakery.event(SystemEventStreams.streamId, head))), done(1));
    assert.equal(inbox.heads.get(bakery.id), signed);
    assert.equal([counts.heads, counts.differing], [1, 0]);
  }));

test('a forged head is counted, and does not hold up what comes with it', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const { counts } = start('us', { types: [], receive: 'system' });
    await until(() => hub.requests.size === 1);
    const signed = headSigner(bakery.id)({ position: 3, hash: 'ab'.repeat(32) });
    const head = (more: object) => {
      const payload = Object.assign({}, signed.proof, more);
      return inbound(bakery.event(SystemEventStreams.streamId, { messageType: 'ChainHead', payload }));
    };
    assert.equal(await hub.send(head({ signature: 'garbage' }), head({})), done(2));
    assert.equal([counts.heads, counts.refused, counts.dead], [2, 1, 0]);
    assert.equal(inbox.heads.get(bakery.id), signed);
  }));

test('the status of another host is passed on and not stored', () =>
  withScene(async ({ hub, inbox, bakery, statuses, start }) => {
    const { counts } = start('us', { types: [], receive: 'system' });
    await until(() => hub.requests.size === 1);
    const startedAt = new Date().toISOString();
    const well = { service: 'bakery', version: '1', startedAt, status: 'Healthy', checks: [] };
    const status = (payload: object) =>
      inbound(bakery.event(SystemEventStreams.streamId, { messageType: 'HostStatus', payload }));
    assert.equal(await hub.send(status(well), status({ ...well, status: 'Fine' })), done(2));
    assert.equal(
      statuses.map((received) => [received.host, received.store, received.status]),
      [['far-away', bakery.id, 'Healthy']],
    );
    assert.equal([counts.statuses, counts.dead, inbox.received.length], [1, 1, 0]);
  }));
