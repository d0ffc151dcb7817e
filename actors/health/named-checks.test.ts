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
const ask = async (check: HealthCheck): Promise<HealthReport> => check.check(signal);
const failureOf = (check: HealthCheck) =>
  ask(check).then(
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
  assert.equal(await ask(quarantineCheck(() => [])), { status: 'Healthy' });
  assert.equal(await ask(quarantineCheck(() => [{ command: 'Bake', key: '7' }, { command: 'Sell' }])), {
    status: 'Degraded',
    detail: 'In quarantine: Bake (key 7), Sell.',
  });
});

test('subscriptions: none is Healthy, and so is all up', async () => {
  assert.equal(await ask(subscriptionsCheck(() => [])), { status: 'Healthy' });
  assert.equal(await ask(subscriptionsCheck(() => [up('orders'), up('audit')])), { status: 'Healthy' });
});

test('subscriptions: some down is Degraded and names them', async () => {
  assert.equal(await ask(subscriptionsCheck(() => [up('orders'), down('audit'), down('stock')])), {
    status: 'Degraded',
    detail: '2 of 3 subscriptions are down: audit, stock.',
  });
});

test('subscriptions that take nothing because too many dead letters wait are Degraded, with what to do', async () => {
  const { status, detail } = await ask(
    subscriptionsCheck(
      () => [up('orders')],
      () => true,
    ),
  );
  assert.is(status, 'Degraded');
  assert.match(detail ?? '', 'svc dead-letters list shows them; replay or discard some.');
});

test('subscriptions: all down is Unhealthy and names them', async () => {
  assert.equal(await ask(subscriptionsCheck(() => [down('orders')])), {
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
  assert.equal(await ask(outboxAgeCheck(() => Promise.resolve(30))), { status: 'Healthy' });
  assert.equal(await ask(outboxAgeCheck(() => Promise.resolve(777_600.4))), {
    status: 'Degraded',
    detail: 'The oldest unsent message has waited 777600 s.',
  });
});

test('that the outbox cannot be looked at degrades the host; what is wrong with the database is told by its own check', async () => {
  assert.equal(await ask(outboxAgeCheck(() => Promise.reject(new RangeError('gone')))), {
    status: 'Degraded',
    detail: 'It is not known how long messages have waited.',
  });
});

test('a database that has just answered somebody is not asked again; one that was lost is', async () => {
  let asked = 0;
  const liveness = new DatabaseLiveness(() => 1_000);
  const check = relationalDbCheck(liveness, () =>
    liveness.observe(async () => {
      asked++;
    }),
  );
  for (let n = 0; n < 3; n++) assert.is((await ask(check)).status, 'Healthy');
  assert.is(asked, 1);
  liveness.lost();
  await ask(check);
  assert.is(asked, 2);
});

test('a database that answers reads but has refused a write is asked until it takes writes again', async () => {
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

test('without perspectives there is no lag; one that is too far behind is named', async () => {
  assert.equal(await ask(perspectiveLagCheck(() => [])), { status: 'Healthy' });
  const lags = [
    { name: 'orders', events: 3, seconds: 0.2 },
    { name: 'audit-log', events: 9000, seconds: 61.2 },
  ];
  assert.equal(await ask(perspectiveLagCheck(() => lags)), {
    status: 'Degraded',
    detail: 'Behind the log: audit-log 9000 events, 61 s.',
  });
});

test('a perspective that has parked keys or stands still degrades the host, which says so', async () => {
  const lags = [
    { name: 'orders', events: 0, seconds: 0, parked: 2 },
    { name: 'audit-log', events: 0, seconds: 0, parked: 0, error: 'its table is gone' },
  ];
  assert.equal(await ask(perspectiveLagCheck(() => lags)), {
    status: 'Degraded',
    detail: 'orders has parked 2 keys. audit-log stands still: its table is gone.',
  });
});

test('an event loop that is held up degrades the host, once', async () => {
  const check = eventLoopCheck(60);
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const end = performance.now() + 300; performance.now() < end;);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { status, detail } = await ask(check);
  check.stop();
  assert.is(status, 'Degraded');
  assert.match(detail ?? '', /^The event loop is \d{3,} ms late \(p99\)\.$/);
  assert.is((await ask(check)).status, 'Healthy');
});

test('a check of the application is added by one call, and the broker is checked once however often it is asked for', () => {
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

test('a host may answer probes on other paths', () => {
  const { paths } = addService().with(mapHealthPaths({ live: '/livez' })).parts.health;
  assert.equal(paths, { live: '/livez', ready: '/health/ready', details: '/health' });
});

test.run();
