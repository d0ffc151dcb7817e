import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Admission } from './admission.js';
import { allowedWaitMs } from './load-estimate.js';

const test = suite('admission');

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A loop whose time passes only while it serves or refuses. */
class Loop {
  now = 1_000;
  readonly waits: number[] = [];
  readonly order: number[] = [];
  refused = 0;
  asked = 0;
  readonly admission: Admission;

  constructor(isCrowded = true) {
    this.admission = new Admission(
      () => isCrowded,
      () => this.now,
    );
  }

  ask(takesMs = 1, sender?: string): void {
    const [since, number] = [this.now, this.asked++];
    const waiting = {
      serve: () => {
        this.now += takesMs;
        this.waits.push(this.now - since);
        this.order.push(number);
      },
      refuse: () => {
        this.now += 0.1;
        this.refused++;
      },
    };
    this.admission.take(waiting, sender);
  }
}

test('requests are served in order, a few in each turn', async () => {
  const loop = new Loop();
  for (let n = 0; n < 5; n++) loop.ask();
  assert.is(loop.waits.length, 0, 'a request is not served before the loop has looked for others');
  await nextTurn();
  assert.equal([loop.order, loop.admission.size], [[0, 1], 3]);
  for (let n = 0; n < 4; n++) await nextTurn();
  assert.equal([loop.order, loop.admission.size], [[0, 1, 2, 3, 4], 0]);
});

test('senders take turns: a request is served soon, however many of another sender wait', async () => {
  const loop = new Loop();
  for (let n = 0; n < 2_000; n++) loop.ask(1, 'loud');
  loop.now += 200;
  const [first, second] = [loop.asked, loop.asked + 1];
  for (const sender of ['quiet', 'rare']) loop.ask(1, sender);
  while (loop.admission.size > 0) await nextTurn();
  assert.ok(loop.order.includes(first) && loop.order.includes(second));
  assert.equal(loop.waits.length + loop.refused, 2_002);
});

test('the requests of each sender keep their order, and a sender that comes again waits for its turn', async () => {
  const loop = new Loop(false);
  for (const sender of ['a', 'a', 'a', 'b', 'b', 'c']) loop.ask(1, sender);
  while (loop.admission.size > 0) await nextTurn();
  assert.equal(loop.order, [0, 3, 5, 1, 4, 2]);
});

test('at twice the capacity nearly the full capacity is served, and no request waits long', async () => {
  const loop = new Loop();
  const from = loop.now;
  for (let due = from; loop.waits.length < 3_000; await nextTurn())
    for (; due <= loop.now + 0.05; due += 0.5) loop.ask();
  const perSecond = (loop.waits.length / (loop.now - from)) * 1_000;
  assert.ok(perSecond > 850, `${perSecond} per second`);
  assert.ok(Math.max(...loop.waits) < allowedWaitMs + 10, `${Math.max(...loop.waits)} ms`);
  assert.ok(loop.refused > 2_000);
});

test('a few clients are served, however long they have waited', async () => {
  const loop = new Loop(false);
  for (let n = 0; n < 300; n++) loop.ask();
  while (loop.admission.size > 0) await nextTurn();
  assert.equal([loop.waits.length, loop.refused], [300, 0]);
});

test('a loop that is busy with other work gives requests as much time as that work', async () => {
  const loop = new Loop(false);
  for (let n = 0; n < 100; n++) loop.ask();
  loop.now += 50;
  await nextTurn();
  assert.is(loop.waits.length, 50);
});

test('a turn handles a few hundred waiting requests, however many there are', async () => {
  let looks = 0;
  const admission = new Admission(
    () => false,
    () => ++looks / 1_000,
  );
  const nobody = { serve: () => undefined, refuse: () => undefined };
  for (let n = 0; n < 5_000; n++) admission.take(nobody);
  await nextTurn();
  looks = 0;
  await nextTurn();
  assert.ok(looks < 1_000, `${looks} looks`);
});

test('however long the loop was busy, the next turn serves for at most 50 ms', async () => {
  const loop = new Loop(false);
  for (let n = 0; n < 200; n++) loop.ask();
  loop.now += 1_000;
  await nextTurn();
  assert.is(loop.waits.length, 50);
});

test('connections are accepted before the next request is served, but not for long', async () => {
  const loop = new Loop(false);
  for (let n = 0; n < 100; n++) loop.ask();
  let turns = 0;
  for (; loop.waits.length === 0; turns++) {
    loop.admission.accepted();
    loop.now += 0.1;
    await nextTurn();
  }
  assert.ok(turns > 40 && turns < 60, `${turns} turns`);
  await nextTurn();
  assert.ok(loop.waits.length > 2, 'without a new connection the next requests are served at once');
});

test('no request waits behind ten thousand others', () => {
  const loop = new Loop();
  for (let n = 0; n < 10_005; n++) loop.ask();
  assert.equal([loop.admission.size, loop.refused], [10_000, 5]);
});
