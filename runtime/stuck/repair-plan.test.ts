import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { planOf, selectionText } from './repair-plan.js';
import type { PlannedEntry } from './stuck-entries.js';

const test = suite('plans of repairs');

const entry = (key: string, more: Partial<PlannedEntry> = {}): PlannedEntry => ({
  id: `reaction/mail/0@1/${key}`,
  kind: 'reaction',
  state: 'parked',
  since: null,
  error: 'no',
  fingerprint: 'a',
  ...more,
});

test('a plan counts by cause, names the oldest, and says what it leaves and why', () => {
  const plan = planOf('skip', [
    entry('1', { since: '2026-01-02T00:00:00Z' }),
    entry('2', { fingerprint: 'b', error: 'no paper' }),
    entry('3', { since: '2026-01-01T00:00:00Z', error: 'no ink' }),
    entry('4', { state: 'retrying' }),
    entry('5', { kind: 'perspective' }),
  ]);
  assert.is(plan.ids.length, 3);
  assert.equal(plan.causes, [
    { fingerprint: 'a', count: 2, error: 'no' },
    { fingerprint: 'b', count: 1, error: 'no paper' },
  ]);
  assert.is(plan.oldest, '2026-01-01T00:00:00Z');
  assert.equal(
    plan.refused.map(({ count }) => count),
    [1, 1],
  );
});

const keys = fc.uniqueArray(fc.string({ maxLength: 6 }), { maxLength: 12 });

test('the same entries in any order have the same token, other entries or another action have another', () => {
  fc.assert(
    fc.property(keys, keys, fc.infiniteStream(fc.nat()), (some, others, dice) => {
      const shuffled = some
        .map((key) => ({ key, at: dice.next().value ?? 0 }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ key }) => key);
      const token = (of: readonly string[], action: 'retry' | 'skip' = 'retry') =>
        planOf(
          action,
          of.map((key) => entry(key)),
        ).token;
      assert.is(token(shuffled), token(some));
      assert.is.not(token(some, 'skip'), token(some));
      const isSame =
        some.toSorted().join('\0') === others.toSorted().join('\0') && some.length === others.length;
      if (!isSame) assert.is.not(token(others), token(some));
    }),
  );
});

test('a filter is said in words', () => {
  assert.is(selectionText({}), 'everything');
  assert.is(
    selectionText({ follower: 'timers', error: "can't", fingerprint: 'f', since: 't', tenant: 'acme' }),
    "follower timers, error 'can't', fingerprint f, since t, tenant acme",
  );
});
