import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { checkEffects, type CountedCalls, type StoredEffects, type StoredOutcome } from './effect-check.js';

const test = suite('the ledger of effects');

const none = { lost: 0, doubled: 0, unaudited: 0, outOfOrder: 0, uncalled: 0, unexplained: 0, left: 0 };
const printed = (n: number, more: Partial<StoredOutcome> = {}): StoredOutcome => ({
  type: 'Printed',
  account: 'a',
  n,
  audits: 1,
  ...more,
});

/** Two that were asked for, and called once each. */
function check(
  outcomes: readonly StoredOutcome[],
  { keys = 2, calls = {}, stored = {} }: More = {},
): ReturnType<typeof checkEffects> {
  const counted = { calls: 2, outcomes: 2, refused: 0, inFlightAtFaults: 0, ...calls };
  return checkEffects(2, { outcomes, commandAudits: outcomes.length, left: 0, ...stored }, keys, counted);
}

interface More {
  readonly keys?: number;
  readonly calls?: Partial<CountedCalls>;
  readonly stored?: Partial<StoredEffects>;
}

test('nothing is found when every effect has one outcome, in order, and each call has a reason', () => {
  assert.equal(check([printed(0), printed(1)]), none);
  const again = { calls: 9, refused: 4, inFlightAtFaults: 3 };
  assert.equal(check([printed(0), printed(1)], { calls: again }), none);
});

test('what has no outcome is lost, and what has two is doubled', () => {
  assert.equal(check([printed(0)]), { ...none, lost: 1 });
  assert.equal(check([printed(0), printed(1), printed(1)]), { ...none, doubled: 1 });
});

test('an outcome without exactly one audit of it and of its command is unaudited', () => {
  assert.equal(check([printed(0), printed(1, { audits: 0 })]), { ...none, unaudited: 1 });
  assert.equal(check([printed(0), printed(1)], { stored: { commandAudits: 1 } }), { ...none, unaudited: 1 });
});

test('only in a lane with an order an outcome may be out of order', () => {
  assert.equal(check([printed(1), printed(0)]), { ...none, outOfOrder: 1 });
  const charged = [1, 0].map((n) => printed(n, { type: 'Charged' }));
  assert.equal(check(charged), none);
});

test('an outcome without a call, a call without a reason, and what waits or is parked are found', () => {
  assert.equal(check([printed(0), printed(1)], { keys: 1 }), { ...none, uncalled: 1 });
  assert.equal(check([printed(0), printed(1)], { calls: { calls: 3 } }), { ...none, unexplained: 1 });
  assert.equal(check([printed(0)], { stored: { left: 1 } }), { ...none, lost: 1, left: 1 });
});
