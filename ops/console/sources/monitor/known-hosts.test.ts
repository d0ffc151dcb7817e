import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReceivedStatus } from '../../../../runtime/inbox/host-status.js';
import type { ReceivedRecord } from './received-record.js';
import { KnownHosts } from './known-hosts.js';

const test = suite('roster');

const noon = Date.parse('2026-01-01T12:00:00.000Z');
const at = (seconds: number): string => new Date(noon + seconds * 1_000).toISOString();

function scene() {
  const clock = { now: noon };
  const roster = new KnownHosts('monitor', () => clock.now);
  return { clock, roster };
}

const status = (more: Partial<ReceivedStatus> = {}): ReceivedStatus => ({
  host: 'north',
  store: 'aaaaaaaa-0000-4000-8000-000000000001',
  service: 'orders',
  version: '1.0.0',
  startedAt: at(-60),
  state: 'up',
  status: 'Healthy',
  checks: [],
  reportedAt: at(0),
  ...more,
});

const record = (more: Partial<ReceivedRecord> = {}): ReceivedRecord => ({
  id: 1,
  store: 'aaaaaaaa-0000-4000-8000-000000000001',
  position: 7,
  eventId: 'e',
  eventType: 'CommandAudited',
  recordedAt: at(0),
  host: 'north',
  data: {},
  metadata: {},
  line: '',
  json: '',
  ...more,
});

const states = (roster: KnownHosts) => roster.overview().hosts.map(({ name, state }) => [name, state]);

test('a host is known by its records before it has said how it is', () => {
  const { roster } = scene();
  roster.addRecord(record());
  assert.equal(states(roster), [['north', 'heard of']]);
  roster.addStatus(status());
  assert.equal(states(roster), [['north', 'up']]);
  assert.is(roster.lineOf('north')?.position, 7);
});

test('a host that says nothing any more is silent, and up again as soon as it is heard', () => {
  const { clock, roster } = scene();
  roster.addStatus(status());
  clock.now += 31_000;
  assert.equal(states(roster), [['north', 'silent']]);
  roster.addStatus(status({ reportedAt: at(31) }));
  assert.equal(states(roster), [['north', 'up']]);
});

test('a host that took its leave is stopped, not silent, until it is back', () => {
  const { clock, roster } = scene();
  roster.addStatus(status({ state: 'stopped' }));
  clock.now += 60_000;
  assert.equal(states(roster), [['north', 'stopped']]);
  roster.addStatus(status({ reportedAt: at(59) }));
  assert.equal(states(roster), [['north', 'up']]);
});

test('what was said earlier does not replace what was said later', () => {
  const { roster } = scene();
  roster.addStatus(status({ status: 'Unhealthy', reportedAt: at(0) }));
  roster.addStatus(status({ status: 'Healthy', reportedAt: at(-5) }));
  assert.is(roster.healthOf('north').status, 'Unhealthy');
});

test('a clock that is ahead does not keep a host alive', () => {
  const { clock, roster } = scene();
  roster.addStatus(status({ reportedAt: at(3_600) }));
  clock.now += 31_000;
  assert.equal(states(roster), [['north', 'silent']]);
});

test('two hosts of one name are told apart by their stores, and from the monitor itself', () => {
  const { roster } = scene();
  roster.addStatus(status());
  roster.addStatus(status({ store: 'bbbbbbbb-0000-4000-8000-000000000002' }));
  roster.addStatus(status({ host: 'monitor' }));
  assert.equal(roster.names, ['monitor (00000001)', 'north', 'north (00000002)']);
});

test('checks that are not well are named', () => {
  const { roster } = scene();
  const checks = [
    { name: 'oven', status: 'Unhealthy', detail: 'It is cold.' },
    { name: 'flour', status: 'Healthy' },
  ] as const;
  roster.addStatus(status({ status: 'Unhealthy', checks }));
  assert.equal(
    roster.lineOf('north')?.failingChecks.map(({ name }) => name),
    ['oven'],
  );
  assert.is(roster.healthOf('north').checks.length, 2);
});

test('failures are kept, newest first, no more than a hundred', () => {
  const { roster } = scene();
  for (let id = 1; id <= 150; id++) roster.addRecord(record({ id, eventType: 'CommandFailed' }));
  roster.addRecord(record({ id: 151 }));
  const { failures } = roster.overview();
  assert.equal([failures.length, failures[0]?.position], [100, 150]);
});

test('no more than a thousand hosts are believed', () => {
  const { roster } = scene();
  for (let n = 0; n < 1_200; n++) roster.addStatus(status({ host: `h${n}` }));
  assert.is(roster.names.length, 1_000);
});

test('what did not come from a store is told with each of its hosts, until it has come', () => {
  const { roster } = scene();
  roster.addStatus(status());
  roster.addStatus(status({ host: 'south', store: 'bbbbbbbb-0000-4000-8000-000000000002' }));
  roster.setGaps([{ store: status().store, missing: 538, differs: true }]);
  const illOf = (name: string) =>
    roster.lineOf(name)?.failingChecks.map(({ name: check, detail }) => `${check}: ${detail}`);
  assert.equal(illOf('north'), [
    'received: 538 records of its store were not received.',
    'received: The chain of its store is not what was received.',
  ]);
  assert.equal(illOf('south'), []);
  roster.setGaps([]);
  assert.equal(illOf('north'), []);
});

test.run();
