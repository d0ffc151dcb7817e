import * as assert from 'uvu/assert';
import { flagOff } from '../../contracts/flags.js';
import { suite } from '../../contracts/testing/suite.js';
import { describeFlag } from './describe-flag.js';

const test = suite('a flag in words');

test('a flag says for whom it is on and off', () => {
  assert.is(describeFlag(flagOff), 'off');
  assert.is(describeFlag({ ...flagOff, on: true }), 'on');
  assert.is(
    describeFlag({ ...flagOff, percent: 12.5, tenants: { acme: true, bank: true }, users: { bob: false } }),
    'on for 12.5 % of users, on for tenants acme and bank, off for user bob',
  );
});

test('only the first names are shown', () => {
  const users = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`u${n}`, true]));
  assert.is(
    describeFlag({ ...flagOff, users }),
    'off, on for users u0 and u1 and u2 and u3 and u4 and 2 more',
  );
});
