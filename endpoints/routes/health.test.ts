import fastify from 'fastify';
import * as assert from 'uvu/assert';
import type { CheckResult } from '../../contracts/health.js';
import { suite } from '../../contracts/testing/suite.js';
import { healthRoutes, type ProbedBoard, statusOnly } from './health.js';

const test = suite('health routes');

const defaults = { live: '/health/live', ready: '/health/ready', details: '/health' };
const since = '2026-01-02T03:04:05.000Z';
const database: CheckResult = {
  name: 'svc_relational_db',
  tags: [],
  status: 'Healthy',
  detail: null,
  latencyMs: 1.5,
  since,
};
const bus: CheckResult = {
  ...database,
  name: 'cloud_servicebus',
  status: 'Unhealthy',
  detail: 'The transport cannot be reached',
};

async function probe(board: ProbedBoard, url: string, paths = defaults) {
  const app = fastify();
  healthRoutes('north', board, paths)(app);
  const { statusCode, body, headers } = await app.inject(url);
  const report = JSON.parse(body) as { status: string; host: string; checks: CheckResult[] };
  return { statusCode, report, headers };
}

test('a host whose checks are all Healthy is ready, and reports when each last changed', async () => {
  const { statusCode, report, headers } = await probe(
    { state: 'watching', results: [database] },
    '/health/ready',
  );
  assert.is(statusCode, 200);
  assert.equal(report, { status: 'Healthy', host: 'north', checks: [database] });
  assert.is(headers['cache-control'], 'no-store');
});

test('one Unhealthy check makes the host not ready, and is named', async () => {
  const { statusCode, report } = await probe(
    { state: 'watching', results: [database, bus] },
    '/health/ready',
  );
  assert.is(statusCode, 503);
  assert.is(report.status, 'Unhealthy');
  assert.equal(report.checks, [database, bus]);
});

test('a Degraded host is ready', async () => {
  const degraded: CheckResult = { ...bus, status: 'Degraded' };
  const { statusCode, report } = await probe(
    { state: 'watching', results: [database, degraded] },
    '/health/ready',
  );
  assert.is(statusCode, 200);
  assert.is(report.status, 'Degraded');
});

test('a host that starts or drains is not ready and reports it', async () => {
  for (const [state, detail] of [
    ['starting', 'The host is starting.'],
    ['draining', 'The host is shutting down.'],
  ] as const) {
    const { statusCode, report } = await probe({ state, results: [database] }, '/health/ready');
    assert.is(statusCode, 503);
    assert.equal([report.checks[0]?.name, report.checks[0]?.detail], [state, detail]);
  }
});

test('a process that answers is alive, whatever its dependencies and its state', async () => {
  const { statusCode, report } = await probe({ state: 'draining', results: [bus] }, '/health/live');
  assert.is(statusCode, 200);
  assert.equal([report.status, report.checks.map(({ name }) => name)], ['Healthy', ['self']]);
});

test('the details match readiness', async () => {
  const { statusCode, report } = await probe({ state: 'watching', results: [bus] }, '/health');
  assert.is(statusCode, 503);
  assert.equal(report.checks, [bus]);
});

test('probes are served at their mapped paths', async () => {
  const paths = { live: '/livez', ready: '/readyz', details: '/healthz' };
  assert.is((await probe({ state: 'watching', results: [] }, '/readyz', paths)).statusCode, 200);
});

test('while a host does not know its callers yet, it reveals its status and nothing else', async () => {
  const app = fastify();
  healthRoutes('north', { state: 'migrating', results: [bus] }, defaults, statusOnly)(app);
  const ready = await app.inject('/health/ready');
  assert.equal([ready.statusCode, ready.body], [503, '{"status":"Unhealthy"}']);
  assert.is((await app.inject('/health/live')).statusCode, 200);
  const details = await app.inject('/health');
  assert.not.match(details.body, 'migrating');
  assert.is.not(details.statusCode, 200);
});
