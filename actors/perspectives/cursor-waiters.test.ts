import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CursorWaiters } from './cursor-waiters.js';

const test = suite('caught up');

test('who waits goes on when the cursor has moved here', async () => {
  const caughtUp = new CursorWaiters(() => Promise.resolve(new Map([['a', 3]])));
  const waiting = caughtUp.wait('a', 5);
  caughtUp.moved('b', 9);
  caughtUp.moved('a', 4);
  caughtUp.moved('a', 5);
  await waiting;
});

test('who waits goes on when the cursor has moved elsewhere, and one question asks for all', async () => {
  const asked: (readonly string[])[] = [];
  const caughtUp = new CursorWaiters((tables) => {
    asked.push(tables);
    return Promise.resolve(new Map(tables.map((table) => [table, asked.length])));
  });
  await Promise.all([caughtUp.wait('a', 3), caughtUp.wait('b', 2), caughtUp.wait('a', 1)]);
  assert.is(asked.length, 3);
});

test('a store that does not answer for a while is asked again', async () => {
  let asked = 0;
  const caughtUp = new CursorWaiters(() =>
    ++asked < 3 ? Promise.reject(new RangeError('away')) : Promise.resolve(new Map([['a', 1]])),
  );
  await caughtUp.wait('a', 1);
  assert.is(asked, 3);
});

test('a signal ends the waiting, and nobody asks any more', async () => {
  let asked = 0;
  const caughtUp = new CursorWaiters(() => {
    asked++;
    return Promise.resolve(new Map());
  });
  const ending = new AbortController();
  const waiting = caughtUp.wait('a', 1, ending.signal).catch((error: unknown) => error);
  ending.abort(new RangeError('enough'));
  assert.match(String(await waiting), 'enough');
  const before = asked;
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.ok(asked <= before + 1);
});

test.run();
