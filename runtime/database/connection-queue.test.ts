import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';
import { commandsInARow, ConnectionQueue, type QueueClass } from './connection-queue.js';

const test = suite('the queue for connections');

test('who waits longest is next, commands come before followers, and no follower is starved', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom('command', 'follower', 'leave'), { maxLength: 200 }),
      async (connections, steps) => {
        const line = new Line(connections);
        for (const step of steps) {
          if (step === 'leave') await line.leave();
          else await line.enter(step);
          assert.ok(line.inUse <= connections);
          assert.ok(line.inUse === connections || line.waiting.length === 0, 'a connection is unused');
        }
        // Those who still wait would be refused later, in another test.
        while (line.inUse > 0) await line.leave();
        assert.equal(line.waiting, []);
      },
    ),
  ));

test('a free connection is used at once', async () => {
  const queue = new ConnectionQueue(2);
  await queue.enter('follower');
  await queue.enter('command');
});

test('a wait ends with the deadline of its command, and the next one gets the connection', async () => {
  const queue = await busyQueue();
  const deadline = new AbortController();
  const first = queue.enter('command', deadline.signal);
  const second = queue.enter('command');
  deadline.abort(new Problem('deadline-exceeded'));
  assert.is(await codeOf(first), 'deadline-exceeded');
  queue.leave();
  await second;
  assert.is(await codeOf(queue.enter('command', deadline.signal)), 'deadline-exceeded');
});

test('when the queue is long, a command is refused at once as overloaded, and a follower waits', () =>
  withFakeTimeouts(async (clock) => {
    const queue = await busyQueue();
    const first = queue.enter('command');
    const second = queue.enter('command');
    clock.advance(4_000);
    queue.leave();
    await first;
    clock.advance(2_000);
    const refused = await queue.enter('command').catch((error: unknown) => error);
    assert.instance(refused, Problem);
    const { code, retryAfter } = refused as Problem;
    assert.equal([code, retryAfter], ['overloaded', 1]);
    const follower = queue.enter('follower');
    queue.leave();
    queue.leave();
    await Promise.all([second, follower]);
  }));

test('a slow database is waited for, and without a deadline for no longer than 30 s', () =>
  withFakeTimeouts(async (clock) => {
    const queue = await busyQueue();
    const waiting = Array.from({ length: 10 }, () => codeOf(queue.enter('command')));
    for (let n = 0; n < 7; n++) {
      clock.advance(4_000);
      queue.leave();
    }
    clock.advance(2_000);
    const codes = await Promise.all(waiting);
    assert.equal(codes, [...Array<string>(7).fill('none'), ...Array<string>(3).fill('overloaded')]);
  }));

test('a database that gives no connection back for 5 s does not respond', () =>
  withFakeTimeouts(async (clock) => {
    const queue = await busyQueue();
    clock.advance(3_000);
    const waiting = codeOf(queue.enter('command'));
    clock.advance(5_000);
    assert.is(await waiting, 'store-unavailable');
  }));

async function busyQueue(): Promise<ConnectionQueue> {
  const queue = new ConnectionQueue(1);
  await queue.enter('command');
  return queue;
}

const codeOf = (entered: Promise<void>): Promise<string> =>
  entered.then(
    () => 'none',
    (error: unknown) => (error as Problem).code,
  );

interface Waiting {
  readonly of: QueueClass;
  readonly number: number;
  /** How many of its class waited before it. */
  readonly ahead: number;
  /** How many connections became free while it waited. */
  left: number;
}

/** A queue beside what is expected of it. */
class Line {
  inUse = 0;
  waiting: Waiting[] = [];
  #entered = 0;
  #admitted: number[] = [];
  readonly #queue: ConnectionQueue;

  constructor(connections: number) {
    this.#queue = new ConnectionQueue(connections);
  }

  async enter(of: QueueClass): Promise<void> {
    const number = this.#entered++;
    const ahead = this.waiting.filter((one) => one.of === of).length;
    this.waiting.push({ of, number, ahead, left: 0 });
    void this.#queue.enter(of).then(() => this.#admitted.push(number));
    await this.#take();
  }

  async leave(): Promise<void> {
    if (this.inUse === 0) return;
    for (const waiting of this.waiting) waiting.left++;
    this.inUse--;
    this.#queue.leave();
    await this.#take();
  }

  async #take(): Promise<void> {
    await new Promise(setImmediate);
    for (const number of this.#admitted.splice(0)) {
      const next = this.waiting.find((one) => one.number === number);
      if (next === undefined) throw new Problem('unexpected', { detail: `${number} was admitted twice` });
      const line = this.waiting.filter(({ of }) => of === next.of);
      assert.is(line[0], next, 'who waits longest is next');
      this.#mustBeFair(next);
      this.waiting = this.waiting.filter((one) => one !== next);
      this.inUse++;
    }
  }

  #mustBeFair(next: Waiting): void {
    const followers = this.waiting.filter(({ of }) => of === 'follower');
    for (const { left, ahead } of followers)
      assert.ok(left <= (ahead + 1) * (commandsInARow + 1), 'a follower is starved');
    if (next.of === 'command') return;
    const command = this.waiting.find(({ of }) => of === 'command');
    if (command !== undefined) assert.ok(next.left > commandsInARow, 'a follower came before a command');
  }
}
