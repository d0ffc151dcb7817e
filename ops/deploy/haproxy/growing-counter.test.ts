import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { GrowingCounter } from './growing-counter.js';

const test = suite('growing counter');

test('counters that begin at zero again add to what was counted before', () => {
  const counter = new GrowingCounter();
  assert.equal(counter.add({ requests: 100, errors: 3 }), { requests: 100, errors: 3 });
  assert.equal(counter.add({ requests: 150, errors: 3 }), { requests: 150, errors: 3 });
  assert.equal(counter.add({ requests: 10, errors: 0 }), { requests: 160, errors: 3 });
  assert.equal(counter.add({ requests: 10, errors: 1 }), { requests: 160, errors: 4 });
});

test('a restart shows in either counter', () => {
  const counter = new GrowingCounter();
  counter.add({ requests: 10, errors: 5 });
  assert.equal(counter.add({ requests: 12, errors: 1 }), { requests: 22, errors: 6 });
});
