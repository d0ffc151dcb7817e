import * as assert from 'uvu/assert';
import type { AnyEffect } from '../../contracts/effect.js';
import { Command } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { knownEffects } from '../../runtime/effects/known-effect.js';
import { Lanes } from './lanes.js';

const test = suite('lanes of effects');

class SendSms extends Command {}

const lanesOf = (settings: Partial<AnyEffect> = {}): Lanes =>
  new Lanes(
    knownEffects([{ command: SendSms, effect: { name: 'sms', call: () => Promise.resolve(), ...settings } }]),
  );
const roomAt = (lanes: Lanes, now: number): number => lanes.names(now)[0]?.room ?? 0;
const leftAt = (lanes: Lanes, now: number, hand = ''): ReadonlyMap<string, number> =>
  lanes.left(now, [{ name: 'sms', hand }], 128);
const lane = 'n|sms|acme';

test('a host calls 64 at once, or as many as the effect says for all hosts together', () => {
  assert.is(roomAt(lanesOf(), 0), 64);
  const few = lanesOf({ concurrency: 5 });
  for (let n = 0; n < 4; n++) few.begin('sms', lane, 0);
  assert.is(roomAt(few, 0), 1);
  few.begin('sms', lane, 0);
  assert.equal(few.names(0), []);
  few.end('sms', lane);
  assert.is(roomAt(few, 0), 1);
});

test('calls of the host before count until their claims are over', () => {
  const lanes = lanesOf({ concurrency: 5 });
  lanes.takeOver('sms', 0, { count: 3, until: 12_000 });
  assert.is(roomAt(lanes, 0), 2);
  assert.is(lanes.waitMs(2_000), 10_000);
  assert.is(roomAt(lanes, 12_000), 5);
});

test('of a rate of 50 a second, no second has more than 55', () => {
  const lanes = lanesOf({ rate: { calls: 50, per: 'PT1S' } });
  const begun: number[] = [];
  for (let now = 0; now < 10_000; now += 20)
    for (let room = roomAt(lanes, now); room > 0; room--) {
      lanes.begin('sms', lane, now);
      lanes.end('sms', lane);
      begun.push(now);
    }
  const most = Math.max(...begun.map((from) => begun.filter((at) => at >= from && at < from + 1_000).length));
  assert.ok(most <= 55, String(most));
  assert.ok(begun.length >= 490, String(begun.length));
});

test('a lane has 8 calls at once, or as many as the effect says, and a rate of its own', () => {
  const lanes = lanesOf({ perLane: 2 });
  lanes.begin('sms', lane, 0);
  assert.equal([...leftAt(lanes, 0)], [[lane, 1]]);
  assert.is(lanes.names(0)[0]?.each, 2);
  lanes.end('sms', lane);
  assert.equal([...leftAt(lanes, 0)], []);
  const slow = lanesOf({ laneRate: { calls: 1, per: 'PT10S' } });
  assert.is(slow.names(0)[0]?.each, 1);
  slow.begin('sms', lane, 0);
  slow.end('sms', lane);
  assert.equal([...leftAt(slow, 5_000)], [[lane, 0]]);
  assert.is(slow.waitMs(4_000), 6_000);
});

test('a claim names no lane whose rate allows as many as that of any other', () => {
  const lanes = lanesOf({ laneRate: { calls: 1, per: 'PT10S' } });
  for (let tenant = 0; tenant < 100; tenant++) {
    lanes.begin('sms', `n|sms|${tenant}`, 0);
    if (tenant > 0) lanes.end('sms', `n|sms|${tenant}`);
  }
  assert.is(leftAt(lanes, 9_999).size, 100);
  // The one that has a call in flight may begin no more than its rate allows, like any other.
  assert.equal([...leftAt(lanes, 10_000)], []);
});

test('a lane in which every attempt fails has one at once and rests a second after each, until one is answered', () => {
  const lanes = lanesOf();
  for (let n = 0; n < 15; n++) lanes.tried(lane, false, n);
  assert.equal([leftAt(lanes, 15).size, lanes.waitMs(15)], [0, Infinity]);
  lanes.tried(lane, false, 20);
  lanes.tried('n|sms|other', false, 20);
  assert.equal([...leftAt(lanes, 1_019)], [[lane, 0]]);
  assert.is(lanes.waitMs(520), 500);
  assert.equal([...leftAt(lanes, 1_020)], [[lane, 1]]);
  lanes.begin('sms', lane, 1_020);
  assert.equal([...leftAt(lanes, 1_020)], [[lane, 0]]);
  lanes.end('sms', lane);
  lanes.tried(lane, false, 1_030);
  assert.equal([...leftAt(lanes, 2_029)], [[lane, 0]]);
  lanes.tried(lane, true, 2_030);
  assert.is(leftAt(lanes, 2_031).size, 0);
  lanes.tried(lane, false, 2_032);
  assert.is(leftAt(lanes, 2_033).size, 0);
});

test('lanes of which all calls failed have 16 of the 64 places together, and the others all of the rest', () => {
  const lanes = lanesOf({ perLane: 4 });
  const silent = Array.from({ length: 100 }, (_, n) => `n|sms|silent ${n}`);
  for (const one of silent) for (let n = 0; n < 4; n++) lanes.tried(one, false, 0);
  const leftFor = (one: string): number => leftAt(lanes, 0).get(one) ?? 4;
  // A claim may take lanes that fail alone.
  assert.equal([roomAt(lanes, 0), leftFor(silent[0] ?? ''), leftFor(lane)], [16, 4, 4]);
  for (const one of silent.slice(0, 16)) lanes.begin('sms', one, 0);
  assert.equal([roomAt(lanes, 0), leftFor(silent[99] ?? ''), leftFor(lane)], [48, 0, 4]);
  for (const one of silent.slice(0, 16)) {
    lanes.end('sms', one);
    lanes.tried(one, true, 0);
  }
  assert.equal([roomAt(lanes, 0), leftFor(silent[99] ?? '')], [16, 4]);
});

test('a few lanes that fail limit nothing', () => {
  const lanes = lanesOf({ perLane: 4 });
  for (const one of ['a', 'b', 'c', 'd']) for (let n = 0; n < 4; n++) lanes.tried(`n|sms|${one}`, false, 0);
  assert.equal([roomAt(lanes, 0), leftAt(lanes, 0).size], [64, 0]);
});

test('a claim names no more lanes than it reaches from its hand on, however many fail', () => {
  const lanes = lanesOf();
  const failing = Array.from({ length: 12_000 }, (_, n) => `n|sms|${String(n).padStart(5, '0')}`);
  for (const one of failing) for (let n = 0; n < 16; n++) lanes.tried(one, false, 0);
  lanes.begin('sms', failing[9_000] ?? '', 0);
  const [first, ...others] = leftAt(lanes, 500).keys();
  // The first 2,000 were forgotten; of each of the 8 partitions 128 are named, and the one in flight.
  assert.equal([first, others.length, others.at(-1)], ['n|sms|02000', 1_024, 'n|sms|09000']);
  assert.equal([...leftAt(lanes, 500, 'n|sms|11999').keys()], ['n|sms|11999', 'n|sms|09000']);
});
