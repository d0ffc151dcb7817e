import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { LateLeases } from '../../runtime/leases/renewals.js';
import { leasesCheck } from './leases-check.js';

const test = suite('check of the leases');

const since = new Date('2026-03-01T10:00:01.500Z');
const dueAt = new Date('2026-03-01T10:00:00.000Z');
const reason = 'no connection.\nat line 1';

const read = (late: LateLeases | undefined) =>
  leasesCheck({ renewal: { late, since } }, (lease) =>
    lease === 'svc_per_shelf' ? 'perspective/shelf' : undefined,
  )();

test('late leases are Degraded on one line that names each follower once, since when and why', () => {
  const names = ['timers/1', 'timers/0', 'svc_per_shelf'];
  assert.equal(read({ names, dueAt, reason }), {
    name: 'leases',
    tags: ['followers'],
    latencyMs: 0,
    since: '2026-03-01T10:00:01.500Z',
    status: 'Degraded',
    detail:
      'Due at 2026-03-01T10:00:00.000Z and not renewed: perspective/shelf, timers. The reason: no connection.',
  });
});

test('of many followers twelve are named', () => {
  const names = Array.from({ length: 20 }, (_, n) => `reaction/r${n}/0`);
  assert.match(read({ names, dueAt, reason }).detail ?? '', /reaction\/r19 and 8 more\./);
});

test('leases that are renewed are Healthy', () => {
  const { status, detail } = read(undefined);
  assert.equal([status, detail], ['Healthy', null]);
});
