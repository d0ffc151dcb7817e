import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { OperatorActed } from './operator.js';

const test = suite('events/operator');

const acted = {
  id: '0190b5d4-0000-7000-8000-000000000001',
  action: 'dead-letters discard',
  target: '7',
  actor: 'ann',
  reason: 'sent by hand',
  timestamp: '2026-03-01T09:30:00Z',
};

test('OperatorActed records who did what to what, and why', () => {
  assert.is(JSON.stringify(new OperatorActed(acted)), JSON.stringify(acted));
  assert.equal(faultsOf(new OperatorActed(acted)), []);
  const granting = { ...acted, permissions: ['orders:read'], details: { name: 'till' } };
  assert.equal(faultsOf(new OperatorActed(granting)), []);
});

test('an operator may act without a reason, but not without a name', () => {
  const { reason: _, ...silent } = acted;
  assert.equal(faultsOf(new OperatorActed(silent)), []);
  const { actor: __, ...nameless } = acted;
  const made: unknown = Reflect.construct(OperatorActed, [nameless]);
  assert.equal(
    faultsOf(made as object).map(({ path }) => path),
    ['/actor'],
  );
});

test('it is a system event that is never audited itself', () => {
  assert.ok(new OperatorActed(acted) instanceof SystemEvent);
  assert.is(auditMarkOf(OperatorActed)?.exclude, true);
});
