import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../../runtime/kit/in-memory-idempotency-gate.js';
import { bakeryOver, type Kitchen } from '../testing/bakery.js';
import { MutationCall } from './mutation-call.js';

const test = suite('mutation call');

/** Makes calls with one key, and the field `openBakery`. */
function bakery(kitchen: Kitchen = {}) {
  const store = new InMemoryEventStore();
  const registration = bakeryOver(store, kitchen).endpoints.find(
    ({ graphQLMutation }) => graphQLMutation === 'openBakery',
  );
  assert.ok(registration);
  const ports = { store, gate: new InMemoryIdempotencyGate(store) };
  const facts = { correlation: { correlationId: 'c', traceparent: 't' }, instance: '/graphql' };
  const callWith = (key?: string) =>
    new MutationCall(ports, { ...facts, key, cancellation: new Cancellation() });
  return { callWith, field: { registration, whenVoid: true as const } };
}

test('a field runs once, however often its result is requested', async () => {
  let runs = 0;
  const { callWith, field } = bakery({ open: () => ++runs });
  const call = callWith();
  assert.equal(await Promise.all([1, 2].map(() => call.resultOf(field, {}, 'a'))), [1, 1]);
  assert.is(await call.resultOf(field, {}, 'b'), 2);
});

test('it reports which fields have run', async () => {
  const { callWith, field } = bakery();
  const call = callWith();
  assert.is(call.hasRun('a'), false);
  await call.resultOf(field, {}, 'a');
  assert.is(call.hasRun('a'), true);
});

test('it is a replay when every field was replayed', async () => {
  const { callWith, field } = bakery();
  const first = callWith('k');
  await first.resultOf(field, {}, 'a');
  assert.is(first.isReplayed, false);
  const again = callWith('k');
  await again.resultOf(field, {}, 'a');
  assert.is(again.isReplayed, true);
  await again.resultOf(field, {}, 'b');
  assert.is(again.isReplayed, false);
});

test('without a field there is no replay', () => {
  assert.is(bakery().callWith('k').isReplayed, false);
});
