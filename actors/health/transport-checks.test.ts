import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { failureOf, runCheck } from '../testing/run-check.js';
import { outboxAgeCheck, serviceBusCheck, subscriptionsCheck } from './transport-checks.js';

const test = suite('transport checks');

const up = (name: string) => ({ name, isUp: true });
const down = (name: string) => ({ name, isUp: false });

test('subscriptions: none or all up is Healthy', async () => {
  assert.equal(await runCheck(subscriptionsCheck(() => [])), { status: 'Healthy' });
  assert.equal(await runCheck(subscriptionsCheck(() => [up('orders'), up('audit')])), { status: 'Healthy' });
});

test('subscriptions: some down is Degraded and names them', async () => {
  assert.equal(await runCheck(subscriptionsCheck(() => [up('orders'), down('audit'), down('stock')])), {
    status: 'Degraded',
    detail: '2 of 3 subscriptions are down: audit, stock.',
  });
});

test('subscriptions that receive nothing because too many dead letters wait are Degraded, and the detail says what to do', async () => {
  const { status, detail } = await runCheck(
    subscriptionsCheck(
      () => [up('orders')],
      () => true,
    ),
  );
  assert.is(status, 'Degraded');
  assert.match(detail ?? '', 'List them with svc dead-letters list; replay or discard some.');
});

test('subscriptions: all down is Unhealthy and names them', async () => {
  assert.equal(await runCheck(subscriptionsCheck(() => [down('orders')])), {
    status: 'Unhealthy',
    detail: '1 of 1 subscriptions are down: orders.',
  });
});

test('the in-process transport is present and Healthy until it is closed', async () => {
  const transport = new InProcessTransport();
  assert.is(await failureOf(serviceBusCheck(transport)), 'Healthy');
  await transport.close();
  assert.is(await failureOf(serviceBusCheck(transport)), 'The transport cannot be reached');
});

test('a host without a broker is Healthy and says that it has none', async () => {
  const check = serviceBusCheck(new InProcessTransport(), { isInProcess: true });
  assert.equal(await runCheck(check), { status: 'Healthy', detail: 'in process, no broker' });
});

test('a broker that answers and has a fault is Degraded', async () => {
  const transport = { ping: () => Promise.resolve(), faults: ['The stream A is on one server.', 'B too.'] };
  assert.equal(await runCheck(serviceBusCheck(transport)), {
    status: 'Degraded',
    detail: 'The stream A is on one server. B too.',
  });
});

test('a message that waits too long in the outbox degrades the host', async () => {
  assert.equal(await runCheck(outboxAgeCheck(() => Promise.resolve(30))), { status: 'Healthy' });
  assert.equal(await runCheck(outboxAgeCheck(() => Promise.resolve(777_600.4))), {
    status: 'Degraded',
    detail: 'The oldest unsent message has waited 9 days.',
  });
});

test('an outbox that cannot be queried degrades the host; the database failure itself is reported by its own check', async () => {
  assert.equal(await runCheck(outboxAgeCheck(() => Promise.reject(new RangeError('gone')))), {
    status: 'Degraded',
    detail: 'The age of the oldest unsent message is unknown.',
  });
});
