import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Withdrawn } from '../lang/cancellation.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';
import { CommitQueue } from './commit-queue.js';
import type { EncodedUnit } from './encode-unit.js';

const test = suite('commit queue');

test('units are sealed in the order of their arrival', () => {
  const queue = new CommitQueue(10, 10, 1000);
  const units = [unit(1), unit(2), unit(3)];
  for (const each of units) void queue.add(each);
  assert.equal(
    queue.nextFlush().map((waiting) => waiting.unit),
    units,
  );
  assert.is(queue.length, 0);
});

test('a flush takes a limited number of units', () => {
  const queue = filled(new CommitQueue(10, 2, 1000), [1, 1, 1]);
  assert.is(queue.nextFlush().length, 2);
  assert.is(queue.nextFlush().length, 1);
  assert.is(queue.nextFlush().length, 0);
});

/** How many of each tenant the next flush takes. */
function taken(queue: CommitQueue, onlyFew = false): string {
  const counts = new Map<string, number>();
  for (const { unit: one } of queue.nextFlush(undefined, onlyFew))
    counts.set(one.tenant ?? 'none', (counts.get(one.tenant ?? 'none') ?? 0) + 1);
  return [...counts].map(([tenant, count]) => `${tenant} ${count}`).join(', ');
}

function add(queue: CommitQueue, tenant: string | undefined, count: number): void {
  for (let n = 0; n < count; n++) void queue.add({ ...unit(1), tenant });
}

test('beside tenants that have few units, a flush takes few of one that has many; alone, it has the whole flush', () => {
  const queue = new CommitQueue(1_000, 256, 1_000_000);
  add(queue, 'loud', 300);
  assert.is(taken(queue), 'loud 256');
  add(queue, 'quiet', 2);
  assert.is(taken(queue), 'loud 32, quiet 2');
  assert.is(taken(queue), 'loud 12');
  add(queue, 'loud', 40);
  add(queue, 'quiet', 2);
  assert.is(taken(queue, true), 'quiet 2');
  assert.is(taken(queue, true), '');
  assert.is(taken(queue), 'loud 32');
});

test('tenants that all have many units are not limited, and what has no tenant limits none', () => {
  const queue = new CommitQueue(1_000, 256, 1_000_000);
  for (const tenant of ['a', 'b']) add(queue, tenant, 100);
  assert.is(taken(queue), 'a 100, b 100');
  add(queue, 'a', 100);
  add(queue, undefined, 1);
  assert.is(taken(queue), 'a 100, none 1');
  assert.is(queue.isUneven, false);
});

test('a flush takes a limited number of bytes', () => {
  const queue = filled(new CommitQueue(10, 10, 100), [60, 40, 1]);
  assert.is(queue.nextFlush().length, 2);
  assert.is(queue.length, 1);
});

test('a unit that is too large for a flush is sent alone', () => {
  const queue = filled(new CommitQueue(10, 10, 100), [500, 1]);
  assert.is(queue.nextFlush().length, 1);
  assert.is(queue.nextFlush().length, 1);
});

test('a unit beyond the queue limit is rejected with "overloaded"', async () => {
  const queue = filled(new CommitQueue(2, 10, 1000), [1, 1]);
  const problem = await queue.add(unit(1)).catch(errorOf);
  assert.ok(problem instanceof Problem);
  assert.is(problem.code, 'overloaded');
  assert.is(problem.retryAfter, 1);
  assert.is(queue.length, 2);
  queue.nextFlush();
  void queue.add(unit(1));
  assert.is(queue.length, 1);
});

test('settling a unit settles the promise of its caller', async () => {
  const queue = new CommitQueue(10, 10, 1000);
  const answer = queue.add(unit(1));
  queue.nextFlush()[0]?.settle({ status: 'conflict' });
  assert.equal(await answer, { status: 'conflict' });
});

test('all waiting units can be rejected at once', async () => {
  const queue = new CommitQueue(10, 10, 1000);
  const answers = [queue.add(unit(1)), queue.add(unit(1))];
  const problem = new Problem('store-unavailable');
  queue.refuseAll(problem);
  assert.equal(await Promise.all(answers.map((answer) => answer.catch(errorOf))), [problem, problem]);
  assert.is(queue.length, 0);
});

test('a unit with an aborted signal is not queued', async () => {
  const queue = new CommitQueue(10, 10, 1000);
  assert.is(await queue.add(unit(1), AbortSignal.abort(gone)).catch(errorOf), gone);
  assert.is(queue.length, 0);
});

test('an abort before the seal removes the unit', async () => {
  const queue = new CommitQueue(10, 10, 1000);
  const controller = new AbortController();
  const answer = queue.add(unit(1), controller.signal);
  void queue.add(unit(2));
  controller.abort(gone);
  assert.is(await answer.catch(errorOf), gone);
  assert.equal(
    queue.nextFlush().map((waiting) => waiting.unit.bytes),
    [2],
  );
});

test('an abort after the seal waits for the outcome', async () => {
  const queue = new CommitQueue(10, 10, 1000);
  const controller = new AbortController();
  const answer = queue.add(unit(1), controller.signal);
  const [sealed] = queue.nextFlush();
  controller.abort(gone);
  sealed?.settle({ status: 'key-taken' });
  assert.equal(await answer, { status: 'key-taken' });
});

test('what is withdrawn after the seal is not withdrawn', async () => {
  const queue = new CommitQueue(10, 10, 1000);
  const controller = new AbortController();
  const answer = queue.add(unit(1), controller.signal);
  const [sealed] = queue.nextFlush();
  controller.abort(new Withdrawn());
  sealed?.settle({ status: 'conflict' });
  assert.equal(await answer, { status: 'conflict' });
});

test('5 seconds after an abort that followed the seal, the outcome is unknown', () =>
  withFakeTimeouts(async (clock) => {
    const queue = new CommitQueue(10, 10, 1000);
    const controller = new AbortController();
    let ended: unknown;
    const answer = queue.add(unit(1), controller.signal).catch((error: unknown) => (ended = error));
    queue.nextFlush();
    controller.abort(gone);
    clock.advance(4_999);
    await Promise.resolve();
    assert.is(ended, undefined);
    clock.advance(1);
    const problem = await answer;
    assert.ok(problem instanceof Problem);
    assert.is(problem.code, 'outcome-unknown');
    assert.equal(problem.extensions, { committed: 'unknown' });
  }));

const unit = (bytes: number): EncodedUnit => ({
  events: [],
  records: [],
  expected: new Map(),
  outcome: undefined,
  bytes,
});

function filled(queue: CommitQueue, sizes: readonly number[]): CommitQueue {
  for (const size of sizes) void queue.add(unit(size));
  return queue;
}

const gone = new Problem('client-gone');

const errorOf = (error: unknown): unknown => error;
