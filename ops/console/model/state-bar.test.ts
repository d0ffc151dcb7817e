import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { HealthItem } from './health.js';
import type { HostItem } from './overview.js';
import { stateSentence } from './state-bar.js';
import type { StateFacts } from './state-sentence.js';

const test = suite('state bar');

const check = (name: string, status = 'Healthy', more: Partial<HealthItem> = {}): HealthItem => ({
  name,
  tags: [],
  status,
  ...more,
});

const healthOf = (...checks: readonly HealthItem[]) => ({
  status: checks.find(({ status }) => status !== 'Healthy')?.status ?? 'Healthy',
  checks,
});

const live: StateFacts = {
  connection: 'live',
  silentMs: 400,
  health: healthOf(check('svc_relational_db'), check('event_loop')),
};

const shown = (facts: Partial<StateFacts>): string => {
  const { level, text } = stateSentence({ ...live, ...facts });
  return `${level}: ${text}`;
};

test('before the first answer nothing is claimed', () => {
  assert.is(shown({ connection: 'connecting', silentMs: 0 }), 'quiet: Connecting to the host …');
});

test('a lost connection makes everything old, whatever was healthy before', () => {
  assert.is(
    shown({ connection: 'lost' }),
    'lost: The connection to the host is lost; nothing below is current.',
  );
});

test('a host that sends nothing on an open connection does not respond', () => {
  assert.is(shown({ silentMs: 5_001 }), 'lost: The host does not respond; nothing below is current.');
  assert.match(shown({ silentMs: 4_999 }), /^good/);
});

test('a healthy host is reported with its load', () => {
  assert.is(shown({}), 'good: All 2 checks are healthy.');
  const idle = { requests: 0, crashed: 0, rejected: 0 };
  assert.is(shown({ recent: { ...idle, seconds: 4 } }), 'good: All 2 checks are healthy.');
  assert.is(
    shown({ recent: { ...idle, seconds: 12 } }),
    'good: All 2 checks are healthy; no requests in the last 12 s.',
  );
  assert.is(
    shown({ recent: { seconds: 60, requests: 1200, crashed: 0, rejected: 0 } }),
    'good: All 2 checks are healthy; 1,200 requests in the last minute, none rejected.',
  );
  assert.is(
    shown({ recent: { seconds: 60, requests: 537, crashed: 0, rejected: 537 } }),
    'good: All 2 checks are healthy; 537 requests in the last minute, 537 rejected.',
  );
});

test('a host without checks is not called healthy', () => {
  assert.is(shown({ health: undefined }), 'quiet: No health checks are reported.');
});

test('without its database everything else that fails is a consequence', () => {
  const since = '2026-01-01T00:00:00.000Z';
  const facts = {
    health: healthOf(
      check('svc_relational_db', 'Unhealthy', { detail: 'connect ECONNREFUSED.', since }),
      check('outbox_age', 'Degraded'),
    ),
    failingParts: ['outbox', 'system'],
  };
  assert.is(
    shown(facts),
    'bad: The database is not available (connect ECONNREFUSED): commands fail, and stored data may be shown as it was.',
  );
  assert.is(stateSentence({ ...live, ...facts }).since, since);
});

test('a lost message broker is reported with what waits', () => {
  const health = healthOf(check('cloud_servicebus', 'Unhealthy'), check('subscriptions', 'Unhealthy'));
  assert.is(
    shown({ health, outbox: { pending: 1204, dead: 0 } }),
    'bad: The message broker is not available: nothing is published or received, 1,204 messages wait.',
  );
  assert.is(shown({ health }), 'bad: The message broker is not available: nothing is published or received.');
});

test('a dead host among several is named', () => {
  const health = healthOf(
    check('svc_relational_db', 'Healthy', { host: 'north-1' }),
    check('host', 'Unhealthy', { host: 'north-2' }),
  );
  assert.is(shown({ health }), 'bad: 1 of 2 hosts is not responding: north-2.');
});

test('the hosts of a failing check are named', () => {
  const checks = ['north-1', 'north-2'].map((host) =>
    check('event_loop', 'Degraded', { host, detail: 'The event loop is 900 ms late (p99).' }),
  );
  assert.is(
    shown({ health: healthOf(...checks) }),
    'warn: event_loop is degraded on north-1, north-2: The event loop is 900 ms late (p99).',
  );
});

test('the worst comes first, and the rest is listed behind it', () => {
  const health = healthOf(
    check('commands', 'Degraded', { detail: 'In quarantine: BakeBread.' }),
    check('ovens', 'Unhealthy', { detail: 'No oven is hot.' }),
  );
  const facts = { ...live, health, outbox: { pending: 0, dead: 3 } };
  assert.is(shown(facts), 'bad: ovens is unhealthy: No oven is hot.');
  assert.equal(stateSentence(facts).also, [
    'commands is degraded: In quarantine: BakeBread.',
    '3 dead letters wait for a decision.',
  ]);
});

test('a late event loop explains what else is late', () => {
  const health = healthOf(
    check('outbox_age', 'Degraded', { detail: 'The oldest waits 31 s.' }),
    check('reactions', 'Degraded', { detail: 'reserve is 900 events behind.' }),
    check('event_loop', 'Degraded', { detail: 'The event loop is 636 ms late (p99).' }),
  );
  assert.is(shown({ health }), 'warn: event_loop is degraded: The event loop is 636 ms late (p99).');
  assert.is(stateSentence({ ...live, health }).also?.length, 2);
});

test('failed requests are said before the late event loop', () => {
  const health = healthOf(
    check('event_loop', 'Degraded', { detail: 'The event loop is 636 ms late (p99).' }),
  );
  const recent = { seconds: 60, requests: 40, crashed: 3, rejected: 0 };
  assert.match(shown({ health, recent }), /^warn: 3 of 40 requests/);
});

test('requests that do not end are named by their command', () => {
  const inFlight = [
    { command: 'BakeBread', ms: 8_000 },
    { command: 'BakeBread', ms: 5_000 },
    { command: 'HeatOven', ms: 1_000 },
  ];
  assert.is(shown({ inFlight }), 'warn: 2 requests have been running for more than 5 s: BakeBread.');
  assert.match(shown({ inFlight: inFlight.slice(2) }), /^good/);
});

test('what the host cannot read may be old', () => {
  assert.is(
    shown({ failingParts: ['outbox', 'system'] }),
    'warn: The host cannot read outbox, system at the moment; that part of the page may be old.',
  );
});

test('requests that crash are a warning, and an alarm when they are half of all', () => {
  assert.is(
    shown({ recent: { seconds: 60, requests: 40, crashed: 3, rejected: 0 } }),
    'warn: 3 of 40 requests in the last minute failed with an error of the service.',
  );
  assert.match(shown({ recent: { seconds: 60, requests: 4, crashed: 2, rejected: 0 } }), /^bad/);
});

test('dead letters and parked rows wait for a decision', () => {
  assert.is(shown({ outbox: { pending: 0, dead: 1 } }), 'warn: 1 dead letter waits for a decision.');
  assert.is(
    shown({
      perspectives: [
        { name: 'orders', parked: 12 },
        { name: 'stock', parked: 0 },
      ],
    }),
    'warn: 12 parked rows of orders are not up to date.',
  );
});

test('a rebuild is no fault, and is named whatever else is true', () => {
  const perspectives = [{ name: 'orders', rebuild: { done: 42, total: 100 } }, { name: 'stock' }];
  assert.is(shown({ perspectives }), 'good: All 2 checks are healthy; orders is being rebuilt (42 %).');
  const facts = { ...live, perspectives, outbox: { pending: 0, dead: 1 } };
  assert.equal(stateSentence(facts).also, ['orders is being rebuilt (42 %).']);
  const complete = [{ name: 'orders', rebuild: { done: 100, total: 100 } }];
  assert.match(shown({ perspectives: complete }), '(99 %)');
});

test('parked rows that a check reports are reported once', () => {
  const health = healthOf(check('perspective_lag', 'Degraded', { detail: 'orders has parked 12 keys.' }));
  assert.is(
    shown({ health, perspectives: [{ name: 'orders', parked: 12 }] }),
    'warn: perspective_lag is degraded: orders has parked 12 keys.',
  );
});

const host = (name: string, more: Partial<HostItem> = {}): HostItem => ({
  name,
  store: 's',
  state: 'up',
  status: 'Healthy',
  failingChecks: [],
  lastSeen: '2026-01-01T00:00:00.000Z',
  ...more,
});

test('a monitor reports the hosts, not itself', () => {
  assert.is(shown({ hosts: [] }), 'quiet: No hosts found yet.');
  assert.is(shown({ hosts: [host('north')] }), 'good: The only host is healthy.');
  assert.is(shown({ hosts: [host('north'), host('south')] }), 'good: All 2 hosts are healthy.');
  assert.is(
    shown({ hosts: [host('north', { state: 'silent' }), host('south')] }),
    'bad: 1 of 2 hosts is silent: north.',
  );
  assert.is(
    shown({ hosts: [host('north', { state: 'stopped' }), host('south')] }),
    'warn: 1 of 2 hosts is stopped: north.',
  );
  assert.is(
    shown({ hosts: [host('north', { status: 'Unhealthy' }), host('south', { status: 'Degraded' })] }),
    'bad: 1 of 2 hosts is unhealthy: north.',
  );
  assert.is(
    shown({ hosts: [host('north', { failingChecks: [check('received', 'Degraded')] })] }),
    'warn: 1 of 1 host is degraded: north.',
  );
  assert.is(
    shown({ hosts: [host('north', { state: 'no report', status: undefined })] }),
    'quiet: 1 of 1 host is without a report so far: north.',
  );
});

test('a monitor without its own store says so first', () => {
  const health = healthOf(check('svc_relational_db', 'Unhealthy'));
  assert.match(
    shown({ health, hosts: [host('north')] }),
    /^bad: The monitor itself: The database is not available/,
  );
});

test('one host of a monitor is judged by its reports', () => {
  const of = (status: string) => shown({ health: { status, checks: [] } });
  assert.is(of('silent'), 'bad: This host has sent no report for more than 30 s.');
  assert.is(of('stopped'), 'warn: This host has stopped.');
  assert.is(of('no report'), 'quiet: This host has sent no report of its health yet.');
});
