import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { FlagChanged } from './flag.js';

const test = suite('events/flag');

const off = { on: false, tenants: {}, users: {} };
const changed = {
  id: '0190b5d4-0000-7000-8000-000000000001',
  name: 'gift-wrap',
  before: off,
  after: { ...off, percent: 10, tenants: { acme: true } },
  actor: 'ann',
  reason: 'the first ten percent',
  timestamp: '2026-03-01T09:30:00Z',
};

test('FlagChanged records who changed which flag from what to what, and why', () => {
  assert.is(JSON.stringify(new FlagChanged(changed)), JSON.stringify(changed));
  assert.equal(faultsOf(new FlagChanged(changed)), []);
});

test('the first change of a flag has nothing before it, and a reason is optional', () => {
  const { reason: _, before: __, ...first } = changed;
  const event = new FlagChanged(first);
  assert.is(event.before, null);
  assert.equal(faultsOf(event), []);
});

test('a change without an actor or without its rules is faulty', () => {
  const { actor: _, after: __, ...rest } = changed;
  const made: unknown = Reflect.construct(FlagChanged, [rest]);
  assert.equal(
    faultsOf(made as object).map(({ path }) => path),
    ['/after', '/actor'],
  );
});

test('it is a system event that is never audited itself', () => {
  assert.ok(new FlagChanged(changed) instanceof SystemEvent);
  assert.is(auditMarkOf(FlagChanged)?.exclude, true);
});
