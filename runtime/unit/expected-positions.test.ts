import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { StreamRead } from '../../contracts/receptor.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../kit/collect.js';
import { envelopeOf } from './envelope-of.js';
import {
  codeOf,
  isProblem,
  order,
  OrderCreated,
  type OrderShipped,
  other,
  shipped,
  unit,
  unitOnOrderOf,
} from '../testing/staged-orders.js';

const test = suite('what a unit expects of the streams that it reads');

test('a read sees events of other stores where it asks for them; positions and the conflict check are those of the own store', async () => {
  const { work, store } = await unitOnOrderOf(2);
  const far = (carrier: string) => envelopeOf(shipped(carrier), order, work.context);
  store.receive(order, far('before'), newUuid(), { occurredAt: '2001-02-03T04:05:06.7Z' });
  store.receive(order, far('between'), newUuid(), { occurredAt: '2001-02-03T04:05:06.78Z' });
  work.append(order, shipped('staged'), { expectedPosition: 'any' });
  const types = async (options: StreamRead) =>
    (await collect(work.read(order, options))).map(
      ({ payload, messageType }) => (payload as OrderShipped).carrier ?? messageType,
    );
  const own = await types({});
  assert.is(own.length, 3);
  assert.equal(await types({ origin: 'others' }), ['before', 'between']);
  assert.equal(await types({ origin: 'all' }), ['before', 'between', ...own]);
  await collect(work.read(order, { origin: 'all', guard: true }));
  assert.equal([...work.expected.values()], [2]);
  await store.commit(work);
  assert.is(await store.lastPosition(order), 3);
});

test('a read sees what is stored, then what is staged', async () => {
  const { work, store } = await unitOnOrderOf(2);
  work.append(newUuid(), new OrderCreated());
  work.append(order, [shipped('a'), shipped('b')]);
  const read = await collect(work.read(order));
  assert.equal(
    read.map(({ messageType, streamPosition }) => `${messageType} ${streamPosition}`),
    ['OrderCreated 1', 'OrderCreated 2', 'OrderShipped 3', 'OrderShipped 4'],
  );
  assert.is(await store.lastPosition(order), 2);
});

test('appending to a stream that was read expects the position at which it was read', async () => {
  const { work, store } = await unitOnOrderOf(2);
  await collect(work.read(order));
  work.append(order, shipped('DHL'));
  assert.equal([...work.expected], [[order, 2]]);
  await store.append(order, other());
  assert.is(await store.commit(work).catch(codeOf), 'stream-conflict');
});

test('the position counts even when the reader stops at the first event', async () => {
  const { work } = await unitOnOrderOf(3);
  for await (const _ of work.read(order)) break;
  work.append(order, shipped('DHL'));
  assert.equal([...work.expected], [[order, 3]]);
});

test('of several reads the first one counts', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order));
  await store.append(order, other());
  await collect(work.read(order));
  work.append(order, shipped('DHL'));
  assert.equal([...work.expected], [[order, 1]]);
});

test('a read that also saw staged events expects the position of the stored ones', async () => {
  const { work } = await unitOnOrderOf(1);
  work.append(order, shipped('a'));
  await collect(work.read(order));
  work.append(order, shipped('b'));
  assert.equal([...work.expected], [[order, 1]]);
});

test('with "any" a stream that was read may have moved on', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order));
  const [staged] = work.append(order, shipped('DHL'), { expectedPosition: 'any' });
  await store.append(order, other());
  await store.commit(work);
  assert.is(staged?.position, 3);
});

test('a stream that was not read may be at any position', async () => {
  const { work, store } = await unitOnOrderOf(5);
  work.append(order, shipped('DHL'));
  assert.is(work.expected.size, 0);
  await store.commit(work);
});

test('a stream that was only read is not part of the check', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order));
  work.append(newUuid(), new OrderCreated());
  await store.append(order, other());
  await store.commit(work);
});

test('a stream that was only read is part of the check when it is guarded', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order, { guard: true }));
  work.append(newUuid(), new OrderCreated());
  assert.equal([...work.expected], [[order, 1]]);
  await store.append(order, other());
  assert.is(await store.commit(work).catch(codeOf), 'stream-conflict');
});

test('a guard on an empty stream expects that it stays empty', async () => {
  const { work } = unit();
  await collect(work.read(order, { guard: true }));
  assert.equal([...work.expected], [[order, 0]]);
});

test('a guard after a plain read expects the position of the first read', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order));
  await store.append(order, other());
  await collect(work.read(order, { guard: true }));
  assert.equal([...work.expected], [[order, 1]]);
});

test('a read from a position leaves out what is before it, and expects the whole stream', async () => {
  const { work } = await unitOnOrderOf(3);
  assert.equal(
    (await collect(work.read(order, { from: 3 }))).map(({ streamPosition }) => streamPosition),
    [3],
  );
  work.append(order, shipped('DHL'));
  assert.equal([...work.expected], [[order, 3]]);
});

test('a read from behind the end of a stream expects that end', async () => {
  for (const from of [3, 4, 40]) {
    const { work } = await unitOnOrderOf(2);
    assert.equal(await collect(work.read(order, { from })), []);
    work.append(order, shipped('DHL'));
    assert.equal([...work.expected], [[order, 2]]);
  }
});

test('a read from a position leaves out staged events before it, too', async () => {
  const { work } = await unitOnOrderOf(2);
  work.append(order, [shipped('a'), shipped('b'), shipped('c')]);
  for (const [from, seen] of [
    [3, [3, 4, 5]],
    [4, [4, 5]],
    [40, []],
  ] as const)
    assert.equal(
      (await collect(work.read(order, { from }))).map(({ streamPosition }) => streamPosition),
      seen,
    );
});

test('an explicit position includes what the unit has staged', async () => {
  const { work, store } = await unitOnOrderOf(1);
  work.append(order, shipped('a'), { expectedPosition: 1 });
  work.append(order, shipped('b'), { expectedPosition: 2 });
  assert.equal([...work.expected], [[order, 1]]);
  await store.commit(work);
  assert.is(await store.lastPosition(order), 3);
});

test('a stream cannot have two expected positions', async () => {
  const { work } = await unitOnOrderOf(2);
  await collect(work.read(order, { guard: true }));
  assert.throws(
    () => work.append(order, shipped('DHL'), { expectedPosition: 1 }),
    isProblem('stream-conflict'),
  );
  assert.is(work.events.length, 0);
});

test('an explicit position counts, whatever is read later', async () => {
  const { work, store } = await unitOnOrderOf(2);
  work.append(order, shipped('a'), { expectedPosition: 1 });
  await collect(work.read(order));
  work.append(order, shipped('b'));
  assert.is(await store.commit(work).catch(codeOf), 'stream-conflict');
});
