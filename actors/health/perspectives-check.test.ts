import * as assert from 'uvu/assert';
import type { HealthCheck, HealthReport } from '../../contracts/health.js';
import { suite } from '../../contracts/testing/suite.js';
import { perspectivesCheck } from './perspectives-check.js';

const test = suite('perspective lag check');

const signal = new AbortController().signal;
const run = async (check: HealthCheck): Promise<HealthReport> => check.check(signal);

test('without perspectives there is no lag; a perspective that is too far behind is named', async () => {
  assert.equal(await run(perspectivesCheck(() => [])), { status: 'Healthy' });
  const lags = [
    { name: 'orders', events: 3, seconds: 0.2 },
    { name: 'audit-log', events: 9000, seconds: 61.2 },
  ];
  assert.equal(await run(perspectivesCheck(() => lags)), {
    status: 'Degraded',
    detail: 'Behind the log: audit-log 9,000 events, 61 s.',
  });
});

test('a perspective that has parked keys or has stopped degrades the host, which reports it', async () => {
  const lags = [
    { name: 'orders', events: 0, seconds: 0, parked: 2 },
    { name: 'audit-log', events: 0, seconds: 0, parked: 0, error: 'its table is gone' },
  ];
  assert.equal(await run(perspectivesCheck(() => lags)), {
    status: 'Degraded',
    detail: 'orders has parked 2 rows. audit-log has stopped: its table is gone.',
  });
});
