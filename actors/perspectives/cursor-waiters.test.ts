import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { CursorWaiters } from './cursor-waiters.js';

const test = suite('cursor waiters');

test('a waiter continues when the cursor has moved on this host', async () => {
  const caughtUp = new CursorWaiters(() => Promise.resolve(new Map([['a', 3]])));
  const waiting = caughtUp.wait('a', 5);
  caughtUp.moved('b', 9);
  caughtUp.moved('a', 4);
  caughtUp.moved('a', 5);
  await waiting;
});

test('waiters continue when the cursor has moved on another host, and one query serves them all', async () => {
  const queries: (readonly string[])[] = [];
  const caughtUp = new CursorWaiters((tables) => {
    queries.push(tables);
    return Promise.resolve(new Map(tables.map((table) => [table, queries.length])));
  });
  await Promise.all([caughtUp.wait('a', 3), caughtUp.wait('b', 2), caughtUp.wait('a', 1)]);
  assert.is(queries.length, 3);
});

test('a store that does not answer for a while is queried again', async () => {
  let queries = 0;
  const caughtUp = new CursorWaiters(() =>
    ++queries < 3 ? Promise.reject(new RangeError('away')) : Promise.resolve(new Map([['a', 1]])),
  );
  await caughtUp.wait('a', 1);
  assert.is(queries, 3);
});

test('a signal ends the wait and the queries', async () => {
  let queries = 0;
  const caughtUp = new CursorWaiters(() => {
    queries++;
    return Promise.resolve(new Map());
  });
  const ending = new AbortController();
  const waiting = caughtUp.wait('a', 1, ending.signal).catch((error: unknown) => error);
  ending.abort(new RangeError('enough'));
  assert.match(String(await waiting), 'enough');
  const before = queries;
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.ok(queries <= before + 1);
});
