import { DatabaseError } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { DatabaseLiveness } from '../../runtime/database/liveness.js';
import { storeUnavailable } from '../../runtime/database/sql-error.js';
import { addService } from '../../runtime/service/service.js';
import { InProcessTransport } from '../../runtime/transport/in-process.js';
import { addAmqpBrokerHealthChecks, addHealthCheck, mapHealthPaths } from './health-additions.js';
import {
  eventLoopCheck,
  outboxAgeCheck,
  perspectiveLagCheck,
  relationalDbCheck,
  serviceBusCheck,
  quarantineCheck,
  subscriptionsCheck,
} from './named-checks.js';
import type { HealthCheck, HealthReport } from '../../contracts/health.js';

const test = suite('named checks');

const signal = new AbortController().signal;
const run = async (check: HealthCheck): Promise<HealthReport> => check.check(signal);
const failureOf = (check: HealthCheck) =>
  run(check).then(
    () => 'Healthy',
    (error: unknown) => (error as Error).message,
  );

const up = (name: string) => ({ name, isUp: true });
const down = (name: string) => ({ name, isUp: false });

test('the checks have the names and tags of the specification', () => {
  const service = addService().with(addAmqpBrokerHealthChecks('amqp://localhost'));
  const checks = [
    subscriptionsCheck(() => []),
    relationalDbCheck(new DatabaseLiveness(), () => Promise.resolve()),
    serviceBusCheck(new InProcessTransport()),
    ...service.parts.health.checks,
  ];
  assert.equal(
    checks.map(({ name, tags }) => [name, tags]),
    [
      ['subscriptions', ['transport', 'subscriptions']],
      ['svc_relational_db', []],
      ['cloud_servicebus', []],
      ['amqp_broker', []],
    ],
  );
});

test('commands in quarantine make a host Degraded and are named', async () => {
  assert.equal(await run(quarantineCheck(() => [])), { status: 'Healthy' });
  assert.equal(await run(quarantineCheck(() => [{ command: 'Bake', key: '7' }, { command: 'Sell' }])), {
    status: 'Degraded',
    detail: 'In quarantine: Bake (key 7), Sell.',
  });
});

test('subscriptions: none or all up is Healthy', async () => {
  assert.equal(await run(subscriptionsCheck(() => [])), { status: 'Healthy' });
  assert.equal(await run(subscriptionsCheck(() => [up('orders'), up('audit')])), { status: 'Healthy' });
});

test('subscriptions: some down is Degraded and names them', async () => {
  assert.equal(await run(subscriptionsCheck(() => [up('orders'), down('audit'), down('stock')])), {
    status: 'Degraded',
    detail: '2 of 3 subscriptions are down: audit, stock.',
  });
});

test('subscriptions that receive nothing because too many dead letters wait are Degraded, and the detail says what to do', async () => {
  const { status, detail } = await run(
    subscriptionsCheck(
      () => [up('orders')],
      () => true,
    ),
  );
  assert.is(status, 'Degraded');
  assert.match(detail ?? '', 'List them with svc dead-letters list; replay or discard some.');
});

test('subscriptions: all down is Unhealthy and names them', async () => {
  assert.equal(await run(subscriptionsCheck(() => [down('orders')])), {
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

test('a message that waits too long in the outbox degrades the host', async () => {
  assert.equal(await run(outboxAgeCheck(() => Promise.resolve(30))), { status: 'Healthy' });
  assert.equal(await run(outboxAgeCheck(() => Promise.resolve(777_600.4))), {
    status: 'Degraded',
    detail: 'The oldest unsent message has waited 777600 s.',
  });
});

test('an outbox that cannot be queried degrades the host; the database failure itself is reported by its own check', async () => {
  assert.equal(await run(outboxAgeCheck(() => Promise.reject(new RangeError('gone')))), {
    status: 'Degraded',
    detail: 'The age of the oldest unsent message is unknown.',
  });
});

test('a database that has just answered other code is not queried again; a lost one is', async () => {
  let queries = 0;
  const liveness = new DatabaseLiveness(() => 1_000);
  const check = relationalDbCheck(liveness, () =>
    liveness.observe(async () => {
      queries++;
    }),
  );
  for (let n = 0; n < 3; n++) assert.is((await run(check)).status, 'Healthy');
  assert.is(queries, 1);
  liveness.lost();
  await run(check);
  assert.is(queries, 2);
});

test('a database that answers reads but refused a write is queried until it accepts writes again', async () => {
  const readOnly = new DatabaseError('cannot execute UPDATE in a read-only transaction', 7, 'error');
  readOnly.code = '25006';
  const liveness = new DatabaseLiveness();
  let isReadOnly = true;
  const check = relationalDbCheck(liveness, () =>
    liveness.observe(() =>
      isReadOnly ? Promise.reject(new Problem('store-unavailable')) : Promise.resolve(),
    ),
  );
  await liveness.observe(() => Promise.resolve('read'));
  assert.is(await failureOf(check), 'Healthy');
  await liveness.observe(() => Promise.reject(storeUnavailable(readOnly))).catch(() => undefined);
  await liveness.observe(() => Promise.resolve('read'));
  assert.is.not(await failureOf(check), 'Healthy');
  isReadOnly = false;
  assert.is(await failureOf(check), 'Healthy');
  assert.not(liveness.writeRefused);
});

test('without perspectives there is no lag; a perspective that is too far behind is named', async () => {
  assert.equal(await run(perspectiveLagCheck(() => [])), { status: 'Healthy' });
  const lags = [
    { name: 'orders', events: 3, seconds: 0.2 },
    { name: 'audit-log', events: 9000, seconds: 61.2 },
  ];
  assert.equal(await run(perspectiveLagCheck(() => lags)), {
    status: 'Degraded',
    detail: 'Behind the log: audit-log 9000 events, 61 s.',
  });
});

test('a perspective that has parked keys or has stopped degrades the host, which reports it', async () => {
  const lags = [
    { name: 'orders', events: 0, seconds: 0, parked: 2 },
    { name: 'audit-log', events: 0, seconds: 0, parked: 0, error: 'its table is gone' },
  ];
  assert.equal(await run(perspectiveLagCheck(() => lags)), {
    status: 'Degraded',
    detail: 'orders has parked 2 keys. audit-log has stopped: its table is gone.',
  });
});

test('an event loop that was blocked degrades the host, once', async () => {
  const check = eventLoopCheck(60);
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const end = performance.now() + 300; performance.now() < end;);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { status, detail } = await run(check);
  check.stop();
  assert.is(status, 'Degraded');
  assert.match(detail ?? '', /^The event loop is \d{3,} ms late \(p99\)\.$/);
  assert.is((await run(check)).status, 'Healthy');
});

test('a check of the application is added by one call, and the broker is checked once however often it is added', () => {
  const oven: HealthCheck = { name: 'oven', tags: [], check: () => ({ status: 'Healthy' }) };
  const { checks } = addService()
    .with(addHealthCheck(oven))
    .with(addAmqpBrokerHealthChecks('amqp://one'))
    .with(addAmqpBrokerHealthChecks('amqp://two')).parts.health;
  assert.equal(
    checks.map(({ name }) => name),
    ['oven', 'amqp_broker'],
  );
});

test('a host may serve probes on other paths', () => {
  const { paths } = addService().with(mapHealthPaths({ live: '/livez' })).parts.health;
  assert.equal(paths, { live: '/livez', ready: '/health/ready', details: '/health' });
});

test.run();
