import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { liveKeyOf, liveQueryOf } from './live-query.js';

const test = suite('query of a live stream');

const columns = [{ name: 'status', type: 'text' }] as const;

const idOf = (id: string) => ({ 'last-event-id': id });

const refusalOf = (body: () => unknown): string => {
  try {
    body();
    return '';
  } catch (error) {
    const { code, detail = '' } = error as Problem;
    return `${code}: ${detail}`;
  }
};

test('the last event is named by the header, or by a parameter where a client cannot send headers', () => {
  const after = { position: 7, model: 9 };
  assert.equal(liveQueryOf('/orders/live', idOf('7.9'), columns).after, after);
  assert.equal(liveQueryOf('/orders/live?lastEventId=7.9', {}, columns).after, after);
  assert.equal(liveQueryOf('/orders/live?lastEventId=1.1', idOf('7.9'), columns).after, after);
  for (const none of [{}, idOf('')]) assert.is(liveQueryOf('/orders/live', none, columns).after, undefined);
});

test('a Last-Event-ID that no host has sent is refused in one line', () => {
  for (const text of ['x', '-1', '7.', '7.x', '99999999999999999999.1', '1.1, 2.2'])
    assert.match(
      refusalOf(() => liveQueryOf('/orders/live', idOf(text), columns)),
      /^invalid-query: Last-Event-ID must be/,
    );
});

test('a stream takes the filters of its list, and neither pages nor an order', () => {
  assert.match(
    refusalOf(() => liveQueryOf('/orders/live?filter[x]=1', {}, columns)),
    /filter\[x\]/,
  );
  for (const name of ['page', 'pageSize', 'sort', 'cursor', 'count'])
    assert.match(
      refusalOf(() => liveQueryOf(`/orders/live?${name}=1`, {}, columns)),
      `${name} is not`,
    );
});

test('a UUID is watched however its letters are written, and what can be no key is not found', () => {
  const id = '018F0000-0000-7000-8000-00000000ABCD';
  assert.is(liveKeyOf(id), id.toLowerCase());
  assert.is(liveKeyOf('Shelf A'), 'Shelf A');
  for (const bad of ['a\0b', 'x'.repeat(1_001)])
    assert.match(
      refusalOf(() => liveKeyOf(bad)),
      /^not-found/,
    );
});
