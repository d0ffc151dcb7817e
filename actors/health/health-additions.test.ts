import * as assert from 'uvu/assert';
import type { HealthCheck } from '../../contracts/health.js';
import { suite } from '../../contracts/testing/suite.js';
import { DatabaseLiveness } from '../../runtime/database/liveness.js';
import { addService } from '../../runtime/service/service.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { relationalDbCheck } from './database-check.js';
import { addAmqpBrokerHealthChecks, addHealthCheck, mapHealthPaths } from './health-additions.js';
import { serviceBusCheck, subscriptionsCheck } from './transport-checks.js';

const test = suite('health additions');

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
