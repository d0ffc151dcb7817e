import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { UnservedRequests } from './unserved-requests.js';

const test = suite('unserved requests');

test('requests that no server answered count against the side that had all of them', () => {
  const unserved = new UnservedRequests();
  unserved.add(5, 0);
  assert.equal({ ...unserved.add(8, 0) }, { old: 3, new: 0 });
  assert.equal({ ...unserved.add(20, 100) }, { old: 3, new: 0 }, 'the share changed meanwhile');
  assert.equal({ ...unserved.add(27, 100) }, { old: 3, new: 7 });
  unserved.add(30, 50);
  assert.equal({ ...unserved.add(40, 50) }, { old: 3, new: 7 }, 'a split front');
});

test('a count that goes back counts nothing twice, unless HAProxy restarted', () => {
  const unserved = new UnservedRequests();
  unserved.add(0, 100);
  unserved.add(10, 100);
  unserved.add(4, 100);
  assert.is(unserved.add(10, 100).new, 10);
  unserved.restart();
  unserved.add(0, 100);
  assert.is(unserved.add(4, 100).new, 14);
});
