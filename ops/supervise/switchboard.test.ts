import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Feed } from '../../endpoints/inspection/feed.js';
import { clusterFrames } from './frame-source.js';
import type { HostAnswers } from './host-answers.js';
import type { FromHost, PeerQuestion } from './messages.js';
import { Peers } from './peers.js';
import { Questions } from './questions.js';
import { type Member, Switchboard } from './switchboard.js';

const test = suite('switchboard');

const settled = () => new Promise(setImmediate);

/** A host process, but for the process. */
class Oven implements Member {
  readonly pid = ++ovens;
  readonly readyAt = 0;
  isToldToEnd = false;
  isFrozen = false;
  readonly feed: Feed;
  readonly peers: Peers;
  readonly frames;
  readonly #questions = new Questions<unknown>(20);

  constructor(
    readonly name: string,
    private readonly board: Switchboard,
  ) {
    this.feed = new Feed({ host: name, tracesPerSecond: 1_000 });
    this.peers = new Peers(name, (message, told) => {
      this.#says(message);
      told?.();
    });
    this.frames = clusterFrames(this.feed, this.peers);
    this.peers.answers = {
      relay: () => ({ state: name, counts: {} }),
    } as Partial<HostAnswers> as HostAnswers;
    board.join(this);
  }

  tell(message: Parameters<Member['tell']>[0], told?: () => void): void {
    if (!this.isFrozen) this.peers.hear(message);
    told?.();
  }

  ask(question: PeerQuestion): Promise<unknown> {
    return this.#questions.ask((id) => this.tell({ type: 'asked', id, ...question }));
  }

  /** A request that is recorded if somebody looks. */
  bakes(id: string): void {
    this.feed.open(id, 'Bake')?.message('Bake', 'lifecycle', 'lifecycle', 'hello');
  }

  #says(message: FromHost): void {
    const { board } = this;
    if (message.type === 'ask') {
      const { question, args, host, id } = message;
      void board
        .ask(this, host, { question, args })
        .then((answers) => this.peers.hear({ type: 'answers', id, answers }));
    }
    if (message.type === 'answer') this.#questions.answer(message.id, message.value);
    if (message.type === 'interest') board.wants(this, message.interest);
    if (message.type === 'replay-wanted')
      board.replay(this, message.host, message.follower, message.maxBytes);
    if (message.type === 'frames') board.pass(this, message.frames, message.replay);
  }
}

let ovens = 0;

function bakery(...names: readonly string[]) {
  const board = new Switchboard(() => names);
  return { board, hosts: names.map((name) => new Oven(name, board)) };
}

function pair() {
  const { board, hosts } = bakery('oven-1', 'oven-2');
  const [one, other] = hosts;
  assert.ok(one !== undefined && other !== undefined);
  return { board, one, other };
}

const rootsIn = (frames: readonly string[]) =>
  frames.map((frame) => (JSON.parse(frame) as { rootId: string }).rootId);

test('all others are asked at once; one that does not answer keeps nobody else from being heard', async () => {
  const { hosts } = bakery('oven-1', 'oven-2', 'oven-3');
  const [one, , third] = hosts;
  assert.ok(one !== undefined && third !== undefined);
  assert.equal([...(await one.peers.ask(undefined, 'relay')).keys()], ['oven-2', 'oven-3']);
  assert.equal([...(await one.peers.ask('oven-3', 'relay')).keys()], ['oven-3']);
  third.isFrozen = true;
  assert.equal([...(await one.peers.ask(undefined, 'relay')).keys()], ['oven-2']);
});

test('a host records for its neighbours while one of them looks at it, and no longer', () => {
  const { board, one, other } = pair();
  const attached = () => [one.feed.counts().attached, other.feed.counts().attached];
  assert.equal(attached(), [0, 0]);
  const leave = [one.peers.wants(undefined, 'traces'), one.peers.wants('oven-2', 'frames')];
  assert.equal(attached(), [0, 1]);
  leave[1]?.();
  assert.equal(attached(), [0, 1]);
  leave[0]?.();
  assert.equal(attached(), [0, 0]);
  one.peers.wants(undefined, 'traces');
  board.leave(one);
  assert.equal(attached(), [0, 0], 'one that has died wants nothing');
});

test('a host that takes the place of another is told what is wanted of it', () => {
  const { board, one, other } = pair();
  one.peers.wants(undefined, 'traces');
  board.leave(other);
  assert.equal(
    one.peers.hosts.map(({ name, readyAt }) => [name, readyAt !== undefined]),
    [
      ['oven-1', true],
      ['oven-2', false],
    ],
  );
  assert.is(new Oven('oven-2', board).feed.counts().attached, 1);
});

test('whoever comes is told first what was recorded, then what happens, each frame once', async () => {
  const { one, other } = pair();
  const early: string[] = [];
  const late: string[] = [];
  one.frames.follow(undefined, (frame) => early.push(frame), 1 << 20);
  other.bakes('a');
  one.bakes('b');
  // What waits to be sent is part of what was recorded.
  one.frames.follow('oven-2', (frame) => late.push(frame), 1 << 20);
  other.bakes('c');
  while (late.length < 2) await settled();
  assert.equal(rootsIn(late), ['oven-2/a', 'oven-2/c']);
  assert.equal(rootsIn(early).toSorted(), ['oven-1/b', 'oven-2/a', 'oven-2/c']);
});

test('frames go to those who want them', async () => {
  const { hosts } = bakery('oven-1', 'oven-2', 'oven-3');
  const [one, second, third] = hosts;
  assert.ok(one !== undefined && second !== undefined && third !== undefined);
  const heard: string[] = [];
  third.peers.onFrames(({ frames }) => heard.push(...frames));
  const seen: string[] = [];
  const leave = one.frames.follow(undefined, (frame) => seen.push(frame), 1 << 20);
  second.bakes('a');
  while (seen.length < 1) await settled();
  leave();
  second.bakes('b');
  assert.equal([rootsIn(seen), heard], [['oven-2/a'], []]);
  assert.is(second.feed.counts().traced, 1);
});

test.run();
