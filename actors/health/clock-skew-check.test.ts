import * as assert from 'uvu/assert';
import type { HealthCheck } from '../../contracts/health.js';
import { suite } from '../../contracts/testing/suite.js';
import { clockSkewCheck, type Clocks } from './clock-skew-check.js';

const test = suite('clock skew check');

const run = (check: HealthCheck) => check.check(new AbortController().signal);

test('clocks that are far apart are reported, each with what it is compared to', async () => {
  const report = async (clocks: Clocks) => run(clockSkewCheck(() => Promise.resolve(clocks)));
  assert.equal(
    await report({ database: { ahead: -29, logAhead: 3 }, furthest: { store: 'n', seconds: 4 } }),
    {
      status: 'Healthy',
    },
  );
  assert.equal(
    await report({ database: { ahead: -31, logAhead: 3_590 }, furthest: { store: 'north', seconds: 3_600 } }),
    {
      status: 'Degraded',
      detail:
        "The database's clock is 31 s behind this host's. " +
        "The log is 59 min ahead of the database's clock, which was set back. " +
        "Store north records times 60 min ahead of this host's clock.",
    },
  );
});
