import * as assert from 'uvu/assert';
import type { AsideKey } from '../../contracts/reaction-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { Line } from './line.js';
import { type LineEffect, retryDelay } from './line-effects.js';
import { maxAhead } from './line-window.js';
import { maxRetried } from './waiting-places.js';

const test = suite('line of a cursor');

const lineAt = (
  position: number,
  aside: readonly AsideKey[] = [],
  done: readonly number[] = [],
): Line<string> => new Line({ epoch: 1, position, done }, aside, 8);

const summaryOf = (effects: readonly LineEffect<string>[]): readonly string[] =>
  effects.map(
    (effect) =>
      `${effect.do} ${'position' in effect ? effect.position : 'key' in effect ? effect.key : effect.upTo}`,
  );

function offer(line: Line<string>, ...events: readonly (readonly [number, string])[]): void {
  for (const [position, key] of events) line.offer(position, key, `event ${position}`);
}

const stuck = (over: Partial<AsideKey> = {}): AsideKey => ({
  key: 'tea',
  position: 4,
  state: 'retrying',
  attempts: 2,
  retryInMs: 500,
  error: 'out of stock',
  isGivenUp: false,
  ...over,
});

test('events of one key run one after another, those of other keys at the same time', () => {
  const line = lineAt(0);
  offer(line, [1, 'tea'], [2, 'tea'], [3, 'jam']);
  assert.equal(summaryOf(line.take()), ['run 1', 'run 3']);
  line.ran(1, 'tea');
  assert.equal(summaryOf(line.take()), ['commit 1']);
  line.committed(1, 'tea');
  assert.equal(summaryOf(line.take()), ['run 2']);
});

test('the settled position stays before the first event whose commit is not answered', () => {
  const line = lineAt(0);
  offer(line, [1, 'tea'], [2, 'jam']);
  line.readTo(7);
  line.ran(2, 'jam');
  line.committed(2, 'jam');
  assert.is(line.settledTo(), 0);
  line.ran(1, 'tea');
  assert.is(line.settledTo(), 0);
  line.committed(1, 'tea');
  assert.is(line.settledTo(), 7);
});

test('an event that was settled out of order is not handled again', () => {
  const line = lineAt(2, [], [4]);
  offer(line, [3, 'tea'], [4, 'jam'], [5, 'jam']);
  assert.equal(summaryOf(line.take()), ['run 3', 'run 5']);
});

test('a key that fails leaves the line, and its later events wait behind it', () => {
  const line = lineAt(0);
  offer(line, [1, 'tea'], [2, 'tea'], [3, 'jam']);
  line.take();
  line.failed(1, 'tea', { error: 'out of stock' });
  const [mark] = line.take();
  assert.equal(mark, {
    do: 'mark',
    position: 1,
    key: 'tea',
    marks: {
      handled: { position: 1, key: 'tea' },
      aside: {
        key: 'tea',
        from: 0,
        next: 1,
        state: 'retrying',
        attempts: 1,
        retryInMs: 10_000,
        error: 'out of stock',
      },
    },
  });
  line.committed(1, 'tea');
  assert.equal(line.take(), [{ do: 'wait', key: 'tea', ms: 10_000 }]);
  assert.is(line.settledTo(), 2);
});

test('a key comes back when nothing waits behind it, and what was read meanwhile waits for that commit', () => {
  const line = lineAt(0);
  offer(line, [1, 'tea']);
  line.failed(1, 'tea', { error: 'out of stock' });
  line.committed(1, 'tea');
  line.due('tea');
  line.take();
  line.ran(1, 'tea');
  offer(line, [2, 'tea']);
  assert.equal(summaryOf(line.take()), ['commit 1']);
  line.committed(1, 'tea');
  assert.equal(summaryOf(line.take()), ['run 2']);
});

test('when that commit meets a conflict, what was read meanwhile is the next step of the key', () => {
  const line = lineAt(0);
  offer(line, [1, 'tea']);
  line.failed(1, 'tea', { error: 'out of stock' });
  line.committed(1, 'tea');
  line.due('tea');
  line.ran(1, 'tea');
  offer(line, [2, 'tea']);
  line.conflicted(1, 'tea');
  line.take();
  line.ran(1, 'tea');
  const [commit] = line.take();
  assert.is(commit?.do === 'commit' && commit.marks.aside?.next, 2);
});

test('the events behind a key that another host set aside are looked up', () => {
  const line = lineAt(9, [stuck()]);
  assert.equal(line.take(), [{ do: 'wait', key: 'tea', ms: 500 }]);
  line.due('tea');
  assert.equal(summaryOf(line.take()), ['run 4']);
  line.ran(4, 'tea');
  assert.equal(line.take(), [{ do: 'find', after: new Map([['tea', 4]]), upTo: 9 }]);
  offer(line, [11, 'tea']);
  line.found('tea', [7], true);
  line.take();
  line.committed(4, 'tea');
  line.ran(7, 'tea');
  const commit = line.take().at(-1);
  assert.is(commit?.do === 'commit' && commit.marks.aside?.next, 11);
});

test('the events behind all keys that are aside are looked up at once, and none overtakes the answer', () => {
  const aside = ['tea', 'milk', 'rum'].map((key, index) => stuck({ key, position: 4 + index }));
  const parked = { salt: 8, oats: 3 };
  const others = Object.entries(parked).map(([key, position]) => stuck({ key, position, state: 'parked' }));
  const line = lineAt(9, [...aside, ...others]);
  line.take();
  for (const key of ['tea', 'milk']) line.due(key);
  line.take();
  line.ran(4, 'tea');
  line.ran(5, 'milk');
  assert.equal(line.take(), [
    {
      do: 'find',
      after: new Map([
        ['tea', 4],
        ['milk', 5],
        ['rum', 6],
        ['salt', 8],
      ]),
      upTo: 9,
    },
  ]);
  offer(line, [11, 'milk']);
  line.found('tea', [], true);
  line.found('milk', [7], true);
  const commits = line.take().map((effect) => effect.do === 'commit' && effect.marks.aside?.next);
  assert.equal(commits, [0, 7]);
  line.committed(5, 'milk');
  line.ran(7, 'milk');
  assert.is(
    line.take().some(({ do: what }) => what === 'find'),
    false,
  );
});

test('a key that has failed often enough is parked, and runs again only when it is released', () => {
  const line = lineAt(9, [stuck({ attempts: 7 })]);
  line.due('tea');
  line.take();
  line.failed(4, 'tea', { error: 'out of stock' });
  const [mark] = line.take();
  assert.is(mark?.do === 'mark' && mark.marks.aside?.state, 'parked');
  line.committed(4, 'tea');
  line.due('tea');
  assert.equal(line.take(), []);
  assert.equal([...line.parkedKeys], ['tea']);
  line.released('tea');
  assert.equal(summaryOf(line.take()), ['run 4']);
});

test('a key that is slower than many others goes aside while it runs, and commits from there', () => {
  const line = lineAt(0);
  for (let position = 1; position <= 300; position++) line.offer(position, `key ${position}`, '');
  line.take();
  let next = 2;
  for (; line.settledTo() === 0 && next < 300; next++) {
    line.ran(next, `key ${next}`);
    line.committed(next, `key ${next}`);
    if (line.take().some((effect) => effect.do === 'mark')) line.committed(1, 'key 1');
  }
  assert.is(next - 2, 64);
  line.take();
  line.ran(1, 'key 1');
  const [commit] = line.take();
  assert.is(commit?.do === 'commit' && commit.marks.aside?.from, 1);
});

test('never more than 128 events above the settled position run or are done', () => {
  const line = lineAt(0);
  for (let position = 1; position <= 300; position++) line.offer(position, `key ${position}`, '');
  assert.is(line.take().length, maxAhead);
});

test('of many keys that are released, 32 are tried at once, beside what is new', () => {
  const parked = Array.from({ length: 100 }, (_, n) =>
    stuck({ key: `key ${n}`, position: n + 1, state: 'parked' }),
  );
  const line = lineAt(100, parked);
  for (const { key } of parked) line.released(key);
  assert.is(line.take().length, maxRetried);
  assert.is(line.waiting, 68);
  for (let position = 101; position <= 300; position++) line.offer(position, `new ${position}`, '');
  assert.is(line.take().length, maxAhead - maxRetried);
  for (let n = 0; n < 100; n++) {
    line.ran(n + 1, `key ${n}`);
    const [find] = line.take();
    if (find?.do === 'find') for (const key of find.after.keys()) line.found(key, [], true);
    line.take();
    line.committed(n + 1, `key ${n}`);
    const tried = line.take().filter(({ do: what }) => what === 'run');
    assert.ok(tried.length >= (n < 68 ? 1 : 0), `after ${n}`);
  }
  assert.is(line.waiting, 0);
});

test('parked keys that are released one after another are looked up together', () => {
  const parked = Array.from({ length: 100 }, (_, n) =>
    stuck({ key: `key ${n}`, position: n + 1, state: 'parked' }),
  );
  const line = lineAt(100, parked);
  let looks = 0;
  for (const { key, position } of parked) {
    line.released(key);
    assert.equal(summaryOf(line.take()), [`run ${position}`]);
    line.ran(position, key);
    const [effect] = line.take();
    if (effect?.do === 'find') {
      looks++;
      for (const found of effect.after.keys()) line.found(found, [], true);
      line.take();
    }
    line.committed(position, key);
  }
  assert.is(looks, 1);
});

test('an event that causes nothing needs a commit only when an earlier one is not settled', () => {
  const line = lineAt(0);
  offer(line, [1, 'tea'], [2, 'jam']);
  line.take();
  line.passed(2, 'jam');
  assert.equal(summaryOf(line.take()), ['commit 2']);
  line.passed(1, 'tea');
  assert.equal(line.take(), []);
  assert.is(line.settledTo(), 1);
});

test('a cursor that waits for nothing advances past events that do not concern it', () => {
  const line = lineAt(3);
  assert.is(line.advance(), undefined);
  line.readTo(90);
  assert.equal(line.advance(), { handled: { position: 90, key: '' } });
  assert.is(line.advance(), undefined);
});

test('a key is tried again after 10 s, 20 s and so on, at most 5 minutes', () => {
  assert.equal([1, 2, 5, 6, 40].map(retryDelay), [10_000, 20_000, 160_000, 300_000, 300_000]);
});
