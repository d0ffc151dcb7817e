import * as assert from 'uvu/assert';
import { Problem } from './problems.js';
import { suite } from './testing/suite.js';
import { TransportUnreachable } from './transport.js';

const test = suite('transport');

test('a transport that cannot be reached is a problem of its own, with its cause', () => {
  const cause = new RangeError('no route');
  const unreachable = new TransportUnreachable(cause);
  assert.instance(unreachable, Problem);
  assert.equal([unreachable.code, unreachable.status], ['transport-unreachable', 503]);
  assert.is(unreachable.cause, cause);
  assert.is(new TransportUnreachable().cause, undefined);
});
