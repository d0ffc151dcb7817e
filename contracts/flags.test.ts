import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { flagOff, type FlagScope, isFlagName, isOnFor } from './flags.js';
import { suite } from './testing/suite.js';

const test = suite('flags');

const isOn = (rules: Partial<typeof flagOff>, scope: FlagScope = {}, name = 'gift-wrap'): boolean =>
  isOnFor(name, { ...flagOff, ...rules }, scope);
const percentage = fc.double({ min: 0, max: 100, noNaN: true });
const id = fc.string({ unit: 'binary', maxLength: 40 });

test('a flag is off until it is turned on', () => {
  assert.is(isOn({}), false);
  assert.is(isOn({ on: true }), true);
});

test('the rule of a user comes before that of the tenant, and both before the others', () => {
  const rules = { on: true, tenants: { acme: false, hall: true }, users: { ann: true, bob: false } };
  const seen = [
    { userId: 'ann', tenantId: 'acme' },
    { userId: 'bob', tenantId: 'hall' },
    { userId: 'eve', tenantId: 'acme' },
    { userId: 'eve', tenantId: 'hall' },
    { userId: 'eve' },
  ].map((scope) => isOn(rules, scope));
  assert.equal(seen, [true, false, false, true, true]);
  assert.is(isOn({ percent: 0, tenants: { acme: true } }, { tenantId: 'acme', userId: 'ann' }), true);
});

test('names that objects inherit are users and tenants like all others', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.is(isOn({}, { userId: name, tenantId: name }), false, name);
    assert.is(isOn({ on: true }, { userId: name, tenantId: name }), true, name);
  }
});

test('a percentage is stable: the same user gets the same answer every time, in every tenant', () => {
  fc.assert(
    fc.property(id, id, id, percentage, (userId, one, other, percent) => {
      const answer = isOn({ percent }, { userId });
      assert.is(isOn({ percent }, { userId, tenantId: one }), answer);
      assert.is(isOn({ percent }, { userId, tenantId: other }), answer);
    }),
  );
});

test('who has a flag keeps it while the percentage grows', () => {
  fc.assert(
    fc.property(id, percentage, percentage, (userId, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      assert.ok(!isOn({ percent: less }, { userId }) || isOn({ percent: more }, { userId }));
    }),
  );
});

test('0 percent are nobody and 100 percent everybody', () => {
  fc.assert(
    fc.property(fc.option(id, { nil: undefined }), fc.option(id, { nil: undefined }), (userId, tenantId) => {
      assert.is(isOn({ percent: 0 }, { userId, tenantId }), false);
      assert.is(isOn({ percent: 100 }, { userId, tenantId }), true);
    }),
  );
});

test('without a user the tenant counts; without both a caller is outside of every percentage below 100', () => {
  fc.assert(
    fc.property(id, percentage, (one, percent) => {
      assert.is(isOn({ percent }, { tenantId: one }), isOn({ percent }, { userId: one }));
      assert.is(isOn({ percent }, {}), percent === 100);
    }),
  );
});

for (const percent of [1, 10, 50, 90]) {
  test(`${percent} percent are ${percent} percent of the users, whatever their ids look like`, () => {
    const shapes = [
      (n: number) => String(n),
      (n: number) => `user-${n}@example.org`,
      (n: number) => `0190b5d4-0000-7000-8000-${String(n).padStart(12, '0')}`,
    ];
    for (const shape of shapes) {
      const on = Array.from({ length: 10_000 }, (_, n) => isOn({ percent }, { userId: shape(n) }));
      const share = on.filter(Boolean).length / 100;
      // Five standard deviations.
      const tolerated = 5 * Math.sqrt((percent * (100 - percent)) / 10_000);
      assert.ok(Math.abs(share - percent) < tolerated, `${shape(7)}: ${share} percent`);
    }
  });
}

test('the first users of one flag are not those of another', () => {
  const users = Array.from({ length: 10_000 }, (_, n) => ({ userId: `user-${n}` }));
  const both = users.filter(
    (user) => isOn({ percent: 10 }, user, 'gift-wrap') && isOn({ percent: 10 }, user, 'fast-lane'),
  );
  assert.ok(both.length > 50 && both.length < 150, String(both.length));
});

test('a name has letters, digits and a few signs', () => {
  for (const name of ['a', 'gift-wrap', 'Orders.giftWrap', 'team:orders/gift_wrap', '2fa', 'a'.repeat(100)])
    assert.ok(isFlagName(name), name);
  for (const name of ['', '-a', 'gift wrap', 'a\n', 'é', '%41', 'a'.repeat(101)])
    assert.not(isFlagName(name), name);
});
