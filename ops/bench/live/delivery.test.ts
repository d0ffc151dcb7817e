import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { Delivery } from './delivery.js';

const test = suite('bench delivery of changes');

const watchers = 2;

test('what did not reach every watcher is missed, what reached one twice is doubled', () => {
  const delivery = new Delivery();
  for (const id of ['a', 'b', 'c']) delivery.committed(id, 1);
  for (const id of ['a', 'a', 'b', 'c', 'c', 'c']) delivery.received(id, 1);
  const { missed, doubled } = delivery.figures(watchers);
  assert.equal([delivery.count, missed, doubled], [6, 1, 1]);
});

test('a change from before that reaches some watchers is neither missed nor waited for', () => {
  const delivery = new Delivery();
  delivery.received('a', 0);
  delivery.committed('a', 1);
  for (let n = 0; n < watchers; n++) delivery.received('a', 1);
  const { missed, doubled } = delivery.figures(watchers);
  assert.equal([delivery.count, missed, doubled], [watchers, 0, 0]);
});
