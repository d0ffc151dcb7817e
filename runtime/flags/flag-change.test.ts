import * as assert from 'uvu/assert';
import { flagOff, type FlagRules } from '../../contracts/flags.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { changedRules, type FlagChange, isSameRules } from './flag-change.js';

const test = suite('changes of a flag');

const after = (...changes: readonly FlagChange[]): FlagRules =>
  changes.reduce<FlagRules>((rules, change) => changedRules(rules, change), flagOff);

const forAcme: FlagChange = { kind: 'on', tenants: ['acme'] };
const quarter: FlagChange = { kind: 'set', percent: 25 };

test('on and off hold for everyone, and remove every rule', () => {
  assert.equal(after({ kind: 'on' }), { on: true, tenants: {}, users: {} });
  assert.equal(after(forAcme, quarter, { kind: 'off' }), flagOff);
  assert.equal(after({ kind: 'off', users: ['ann'] }, { kind: 'on' }), { on: true, tenants: {}, users: {} });
});

test('for tenants and users they add rules, in the order of the names', () => {
  assert.equal(after(forAcme, { kind: 'off', tenants: ['aaa'], users: ['ann'] }), {
    on: false,
    tenants: { aaa: false, acme: true },
    users: { ann: false },
  });
  assert.equal(after({ kind: 'on' }, { kind: 'off', tenants: ['acme'] }, forAcme), {
    on: true,
    tenants: { acme: true },
    users: {},
  });
});

test('a percentage takes the place of on and off, and leaves the rules', () => {
  assert.equal(after({ kind: 'on' }, forAcme, quarter), {
    on: false,
    percent: 25,
    tenants: { acme: true },
    users: {},
  });
  assert.is(after(quarter, { kind: 'on', percent: 50 }).percent, 50);
  assert.is(after(quarter, { kind: 'on' }).percent, undefined);
});

test('set replaces what it names, and leaves the rest', () => {
  const before = [forAcme, { kind: 'off', users: ['ann'] } as const, quarter];
  assert.equal(after(...before, { kind: 'set', tenants: ['hall', 'bank'] }), {
    on: false,
    percent: 25,
    tenants: { bank: true, hall: true },
    users: { ann: false },
  });
});

test('rules are the same whatever the order of their names', () => {
  const one = { on: false, tenants: { a: true, b: false }, users: {} };
  assert.ok(isSameRules(one, { ...one, tenants: { b: false, a: true } }));
  assert.not(isSameRules(one, { ...one, tenants: { a: true, b: true } }));
  assert.not(isSameRules(one, { ...one, percent: 0 }));
});

test('a flag names a bounded number of tenants and users', () => {
  const users = Array.from({ length: 201 }, (_, n) => `user-${n}`);
  assert.throws(
    () => after({ kind: 'on', users }),
    (error: unknown) => error instanceof Problem && /at most 200/.test(error.detail ?? ''),
  );
  assert.is(Object.keys(after({ kind: 'on', users: users.slice(1) }).users).length, 200);
});

test('a name that objects inherit is a rule like any other', () => {
  const { users } = after({ kind: 'on', users: ['__proto__', 'constructor'] });
  assert.equal(Object.entries(users), [
    ['__proto__', true],
    ['constructor', true],
  ]);
});
