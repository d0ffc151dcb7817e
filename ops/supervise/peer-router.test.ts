import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { InProcessPeer, inProcessPeers } from '../testing/in-process-peer.js';

const test = suite('switchboard');

const settled = () => new Promise(setImmediate);

const rootsIn = (frames: readonly string[]) =>
  frames.map((frame) => (JSON.parse(frame) as { rootId: string }).rootId);

test('all others are asked at once, and one that does not answer delays no other answer', async () => {
  const [one, , third] = inProcessPeers('oven-1', 'oven-2', 'oven-3').hosts;
  assert.equal([...(await one.peers.ask(undefined, 'relay')).keys()], ['oven-2', 'oven-3']);
  assert.equal([...(await one.peers.ask('oven-3', 'relay')).keys()], ['oven-3']);
  third.isFrozen = true;
  assert.equal([...(await one.peers.ask(undefined, 'relay')).keys()], ['oven-2']);
});

test('a host records for its peers only while one of them watches it', () => {
  const {
    board,
    hosts: [one, other],
  } = inProcessPeers('oven-1', 'oven-2');
  const attached = () => [one.feed.attached, other.feed.attached];
  assert.equal(attached(), [0, 0]);
  const leave = [
    one.peers.requestRecording(undefined, 'traces'),
    one.peers.requestRecording('oven-2', 'frames'),
  ];
  assert.equal(attached(), [0, 1]);
  leave[1]?.();
  assert.equal(attached(), [0, 1]);
  leave[0]?.();
  assert.equal(attached(), [0, 0]);
  one.peers.requestRecording(undefined, 'traces');
  board.leave(one);
  assert.equal(attached(), [0, 0], 'a host that has died requests nothing');
});

test('a replacement learns what is requested of it', () => {
  const {
    board,
    hosts: [one, other],
  } = inProcessPeers('oven-1', 'oven-2');
  one.peers.requestRecording(undefined, 'traces');
  board.leave(other);
  assert.equal(
    one.peers.hosts.map(({ name, readyAt }) => [name, readyAt !== undefined]),
    [
      ['oven-1', true],
      ['oven-2', false],
    ],
  );
  assert.is(new InProcessPeer('oven-2', board).feed.attached, 1);
});

test('a new follower receives recorded frames first, then live ones, each once', async () => {
  const [one, other] = inProcessPeers('oven-1', 'oven-2').hosts;
  const early: string[] = [];
  const late: string[] = [];
  one.frames.follow(undefined, (frame) => early.push(frame), 1 << 20);
  other.recordRequest('a');
  one.recordRequest('b');
  // Frames that wait to be sent are among the recorded ones.
  one.frames.follow('oven-2', (frame) => late.push(frame), 1 << 20);
  other.recordRequest('c');
  while (late.length < 2) await settled();
  assert.equal(rootsIn(late), ['oven-2/a', 'oven-2/c']);
  assert.equal(rootsIn(early).toSorted(), ['oven-1/b', 'oven-2/a', 'oven-2/c']);
});

test('recorded frames go to the new follower only', () => {
  const [one, second, third] = inProcessPeers('oven-1', 'oven-2', 'oven-3').hosts;
  const seen: string[] = [];
  one.frames.follow(undefined, (frame) => seen.push(frame), 1 << 20);
  third.recordRequest('a');
  second.frames.follow(undefined, () => undefined, 1 << 20);
  assert.equal(rootsIn(seen), ['oven-3/a'], 'once, live');
});

test('frames go to those who want them', async () => {
  const [one, second, third] = inProcessPeers('oven-1', 'oven-2', 'oven-3').hosts;
  const received: string[] = [];
  third.peers.onFrames(({ frames }) => received.push(...frames));
  const seen: string[] = [];
  const leave = one.frames.follow(undefined, (frame) => seen.push(frame), 1 << 20);
  second.recordRequest('a');
  while (seen.length < 1) await settled();
  leave();
  second.recordRequest('b');
  assert.equal([rootsIn(seen), received], [['oven-2/a'], []]);
  assert.is(second.feed.trace('b'), undefined, 'nobody watches');
});
