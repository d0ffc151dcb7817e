import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InProcessPeer, inProcessPeers } from '../testing/in-process-peer.js';

const test = suite('switchboard');

const settled = () => new Promise(setImmediate);

const rootsIn = (frames: readonly string[]) =>
  frames.map((frame) => (JSON.parse(frame) as { rootId: string }).rootId);

test('all others are asked at once; one that does not answer keeps nobody else from being heard', async () => {
  const [one, , third] = inProcessPeers('oven-1', 'oven-2', 'oven-3').hosts;
  assert.equal([...(await one.peers.ask(undefined, 'relay')).keys()], ['oven-2', 'oven-3']);
  assert.equal([...(await one.peers.ask('oven-3', 'relay')).keys()], ['oven-3']);
  third.isFrozen = true;
  assert.equal([...(await one.peers.ask(undefined, 'relay')).keys()], ['oven-2']);
});

test('a host records for its neighbours while one of them looks at it, and no longer', () => {
  const {
    board,
    hosts: [one, other],
  } = inProcessPeers('oven-1', 'oven-2');
  const attached = () => [one.feed.counts().attached, other.feed.counts().attached];
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
  assert.equal(attached(), [0, 0], 'one that has died wants nothing');
});

test('a host that takes the place of another is told what is wanted of it', () => {
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
  assert.is(new InProcessPeer('oven-2', board).feed.counts().attached, 1);
});

test('whoever comes is told first what was recorded, then what happens, each frame once', async () => {
  const [one, other] = inProcessPeers('oven-1', 'oven-2').hosts;
  const early: string[] = [];
  const late: string[] = [];
  one.frames.follow(undefined, (frame) => early.push(frame), 1 << 20);
  other.recordRequest('a');
  one.recordRequest('b');
  // What waits to be sent is part of what was recorded.
  one.frames.follow('oven-2', (frame) => late.push(frame), 1 << 20);
  other.recordRequest('c');
  while (late.length < 2) await settled();
  assert.equal(rootsIn(late), ['oven-2/a', 'oven-2/c']);
  assert.equal(rootsIn(early).toSorted(), ['oven-1/b', 'oven-2/a', 'oven-2/c']);
});

test('what was recorded is told to the one who came, and to nobody on another host', () => {
  const [one, second, third] = inProcessPeers('oven-1', 'oven-2', 'oven-3').hosts;
  const seen: string[] = [];
  one.frames.follow(undefined, (frame) => seen.push(frame), 1 << 20);
  third.recordRequest('a');
  second.frames.follow(undefined, () => undefined, 1 << 20);
  assert.equal(rootsIn(seen), ['oven-3/a'], 'once, as it happened');
});

test('frames go to those who want them', async () => {
  const [one, second, third] = inProcessPeers('oven-1', 'oven-2', 'oven-3').hosts;
  const heard: string[] = [];
  third.peers.onFrames(({ frames }) => heard.push(...frames));
  const seen: string[] = [];
  const leave = one.frames.follow(undefined, (frame) => seen.push(frame), 1 << 20);
  second.recordRequest('a');
  while (seen.length < 1) await settled();
  leave();
  second.recordRequest('b');
  assert.equal([rootsIn(seen), heard], [['oven-2/a'], []]);
  assert.is(second.feed.counts().traced, 1);
});

test.run();
