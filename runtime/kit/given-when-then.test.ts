import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { given } from './given-when-then.js';
import {
  anOrder,
  asked,
  cancel,
  notified,
  OrderCancelled,
  orderId,
  receptor,
  RefundAsked,
  refundId,
} from '../testing/cancelled-orders.js';

const test = suite('given, when, then');

test('a receptor runs on the given past', async () => {
  await given(receptor, anOrder)
    .when(cancel('mistake'))
    .then(OrderCancelled.of({ reason: 'mistake' }), asked);
});

test('an undefined member counts as absent', async () => {
  const cancelled = Object.assign(new OrderCancelled(), { reason: 'mistake', note: undefined });
  await given(receptor, anOrder).when(cancel('mistake')).then(cancelled, asked);
});

test('a missing event is a failure', async () => {
  const expected = [OrderCancelled.of({ reason: 'mistake' }), asked, asked];
  await fails(
    given(receptor, anOrder)
      .when(cancel('mistake'))
      .then(...expected),
  );
});

test('an unexpected event is a failure', async () => {
  const cancelled = OrderCancelled.of({ reason: 'mistake' });
  await fails(given(receptor, anOrder).when(cancel('mistake')).then(cancelled));
  await fails(given(receptor, anOrder).when(cancel('mistake')).thenNothing());
});

test('another order of events, another type or other data is a failure', async () => {
  const when = given(receptor, anOrder).when(cancel('mistake'));
  await fails(when.then(asked, OrderCancelled.of({ reason: 'mistake' })));
  await fails(when.then(Object.assign(new RefundAsked(), { reason: 'mistake' }), asked));
  await fails(when.then(OrderCancelled.of({ reason: 'regret' }), asked));
});

test('streams are compared where they are given', async () => {
  const when = given(receptor, anOrder).when(cancel('mistake'));
  const cancelled = OrderCancelled.of({ reason: 'mistake' });
  await when.then([orderId, cancelled], [refundId, asked]);
  await when.then([orderId, cancelled], asked);
  await fails(when.then([refundId, cancelled], asked));
});

test('the past may be in several streams, with several events each', () =>
  given(receptor, [newUuid(), new RefundAsked()], [...anOrder, OrderCancelled.of({ reason: 'first' })])
    .when(cancel())
    .thenRefuses('order-closed'));

test('a command may be expected to add nothing', async () => {
  await given({ handle: () => undefined }, anOrder)
    .when(cancel())
    .thenNothing();
});

test('a command may be expected to fail with a problem', async () => {
  await given(receptor).when(cancel()).thenRefuses('order-not-found');
  await fails(given(receptor).when(cancel()).thenRefuses('order-closed'));
});

test('a conflict at the commit counts as a problem too', () =>
  given(receptor, anOrder).when(cancel('stale')).thenRefuses('stream-conflict'));

test('a committed command does not satisfy thenRefuses', () =>
  fails(given(receptor, anOrder).when(cancel('mistake')).thenRefuses('order-closed')));

test('a crash is not a refusal and is rethrown unchanged', async () => {
  const crash = await given(receptor, anOrder).when(cancel('bug')).thenRefuses('unexpected').catch(errorOf);
  assert.instance(crash, TypeError);
  assert.instance(await given(receptor, anOrder).when(cancel('bug')).thenNothing().catch(errorOf), TypeError);
});

test('a result is compared as the JSON that is sent', async () => {
  const when = given(receptor, anOrder).when(cancel('mistake'));
  await when.thenReturns({ status: 'cancelled', by: undefined });
  await fails(when.thenReturns({ status: 'queued', by: undefined }));
});

test('values that are known only afterwards can be inspected', async () => {
  const { result, events, emitted } = await given(receptor, anOrder).when(cancel('fraud')).outcome();
  assert.is(result.status, 'cancelled');
  assert.equal(
    events.map((event) => [event.streamId, event.streamPosition, event.messageType]),
    [
      [orderId, 2, 'OrderCancelled'],
      [refundId, 1, 'RefundAsked'],
    ],
  );
  assert.equal(
    emitted.map((event) => [event.messageType, event.payload]),
    [['CancelRefused', { why: 'fraud' }]],
  );
});

test('deferred tasks have run when the result is available', async () => {
  notified.length = 0;
  await given(receptor, anOrder).when(cancel('mistake')).outcome();
  assert.equal(notified, ['mistake']);
});

test('a failing deferred task is not a refusal', async () => {
  const failure = await given(receptor, anOrder)
    .when(cancel('late'))
    .thenRefuses('order-closed')
    .catch(errorOf);
  assert.ok(failure instanceof Error);
});

test('awaiting without an expectation reports what is missing', async () => {
  const forgotten: unknown = given(receptor, anOrder).when(cancel('mistake'));
  const problem = await Promise.resolve(forgotten).catch(errorOf);
  assert.ok(problem instanceof Problem);
  assert.match(problem.message, 'State what you expect');
});

const errorOf = (error: unknown): unknown => error;

async function fails(attempt: Promise<unknown>): Promise<void> {
  const error = await attempt.catch(errorOf);
  assert.ok(error instanceof Error && error.name === 'AssertionError', `ended with ${String(error)}`);
}
