import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { ForeignStore } from '../testing/foreign-events.js';
import { hostStatusType } from '../../contracts/host-status.js';
import { readHostStatus } from './read-host-status.js';

const test = suite('host status');

const bakery = new ForeignStore();
const startedAt = '2026-01-01T00:00:00.000Z';
const well = { service: 'bakery', version: '1.2.3', startedAt, state: 'up', status: 'Healthy', checks: [] };
const statusMessage = (payload: unknown) =>
  readHostStatus(bakery.event(SystemEventStreams.streamId, { messageType: hostStatusType, payload }));

test('a status names its host, its store, and the results of the checks', () => {
  const checks = [
    { name: 'oven', status: 'Unhealthy', detail: 'It is cold.' },
    { name: 'flour', status: 'Healthy' },
  ];
  const status = statusMessage({ ...well, status: 'Unhealthy', checks });
  assert.equal(
    [status.host, status.store, status.service, status.status],
    ['far-away', bakery.id, 'bakery', 'Unhealthy'],
  );
  assert.equal(status.checks, checks);
});

test('the last status of a host is stopped', () => {
  assert.is(statusMessage({ ...well, state: 'stopped' }).state, 'stopped');
  assert.is(statusMessage({ ...well, state: 'dancing' }).state, 'up');
});

test('long texts are truncated', () => {
  const check = { name: 'n'.repeat(1_000), status: 'Healthy', detail: 'd'.repeat(1_000) };
  const { checks, service } = statusMessage({
    ...well,
    service: 's'.repeat(1_000),
    checks: Array.from({ length: 200 }, () => check),
  });
  assert.equal(
    [checks.length, checks[0]?.name.length, checks[0]?.detail?.length, service.length],
    [50, 300, 300, 300],
  );
});

for (const [what, payload] of Object.entries({
  nothing: null,
  'a number': 7,
  'no start': { ...well, startedAt: 'yesterday' },
  'no checks': { ...well, checks: 'all' },
  'a check of no name': { ...well, checks: [{ status: 'Healthy' }] },
  'a check that is nothing': { ...well, checks: [null] },
  'a status nobody knows': { ...well, status: 'Fine' },
  'no version': { ...well, version: '' },
}))
  test(`${what} is not a status`, () => {
    assert.throws(
      () => statusMessage(payload),
      (error: unknown) => error instanceof Problem && error.code === 'invalid-message',
    );
  });
