import * as assert from 'uvu/assert';
import type { ReceivedStatus } from '../../../../contracts/host-status.js';
import { suite } from '../../../../contracts/testing/suite.js';
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

test('a host is known by its records before its first status report', () => {
  const { roster } = scene();
  roster.addRecord(record());
  assert.equal(states(roster), [['north', 'no report']]);
  roster.addStatus(status());
  assert.equal(states(roster), [['north', 'up']]);
  assert.is(roster.lineOf('north')?.position, 7);
});

test('the overview shows how far each store is believed', () => {
  const { roster } = scene();
  assert.equal(roster.overview().stores, []);
  const counts = { records: 9, unconfirmed: 2, missing: 1, dropped: 3, passedOver: 0 };
  const publicKey = 'ab'.repeat(32);
  roster.setStores([
    { storeId: 'a', state: 'trusted', publicKey, signs: false, ...counts },
    { storeId: 'b', state: 'trusted', trustedBy: 'ann', signs: false, ...counts },
    { storeId: 'c', state: 'waiting', signs: false, ...counts, passedOver: 7 },
  ]);
  assert.equal(roster.overview().stores, [
    { store: 'a', trust: 'pinned', key: 'ab'.repeat(8), ...counts },
    { store: 'b', trust: 'trusted', key: undefined, ...counts },
    { store: 'c', trust: 'waiting', key: undefined, ...counts, passedOver: 7 },
  ]);
});

test('a host that stops reporting is silent, and up again with its next report', () => {
  const { clock, roster } = scene();
  roster.addStatus(status());
  clock.now += 31_000;
  assert.equal(states(roster), [['north', 'silent']]);
  roster.addStatus(status({ reportedAt: at(31) }));
  assert.equal(states(roster), [['north', 'up']]);
});

test('a host that reported its stop is stopped, not silent, until it is back', () => {
  const { clock, roster } = scene();
  roster.addStatus(status({ state: 'stopped' }));
  clock.now += 60_000;
  assert.equal(states(roster), [['north', 'stopped']]);
  roster.addStatus(status({ reportedAt: at(59) }));
  assert.equal(states(roster), [['north', 'up']]);
});

test('an earlier report does not replace a later one', () => {
  const { roster } = scene();
  roster.addStatus(status({ status: 'Unhealthy', reportedAt: at(0) }));
  roster.addStatus(status({ status: 'Healthy', reportedAt: at(-5) }));
  assert.is(roster.healthOf('north').status, 'Unhealthy');
});

test('a host whose clock is ahead does not appear alive forever', () => {
  const { clock, roster } = scene();
  roster.addStatus(status({ reportedAt: at(3_600) }));
  clock.now += 31_000;
  assert.equal(states(roster), [['north', 'silent']]);
});

test('a host with a time that cannot be read is left out, and the others are shown', () => {
  const { roster } = scene();
  roster.addRecord(record({ host: 'south', recordedAt: '10000-01-01T01:00:00.000000Z' }));
  roster.addStatus(status());
  assert.equal(states(roster), [['north', 'up']]);
});

test('two hosts of one name are distinguished by their stores, and from the monitor itself', () => {
  const { roster } = scene();
  roster.addStatus(status());
  roster.addStatus(status({ store: 'bbbbbbbb-0000-4000-8000-000000000002' }));
  roster.addStatus(status({ host: 'monitor' }));
  assert.equal(roster.names, ['monitor (00000001)', 'north', 'north (00000002)']);
});

test('failing checks are listed', () => {
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

test('the latest hundred failures are kept, newest first', () => {
  const { roster } = scene();
  for (let id = 1; id <= 150; id++) roster.addRecord(record({ id, eventType: 'CommandFailed' }));
  roster.addRecord(record({ id: 151 }));
  const { failures } = roster.overview();
  assert.equal([failures.length, failures[0]?.position], [100, 150]);
});

test('at most a thousand hosts are kept', () => {
  const { roster } = scene();
  for (let n = 0; n < 1_200; n++) roster.addStatus(status({ host: `h${n}` }));
  assert.is(roster.names.length, 1_000);
});

test('missing records of a store are reported with each of its hosts, until they arrive', () => {
  const { roster } = scene();
  roster.addStatus(status());
  roster.addStatus(status({ host: 'south', store: 'bbbbbbbb-0000-4000-8000-000000000002' }));
  roster.setGaps([{ store: status().store, missing: 538, differs: true }]);
  const illOf = (name: string) =>
    roster.lineOf(name)?.failingChecks.map(({ name: check, detail }) => `${check}: ${detail}`);
  assert.equal(illOf('north'), [
    'received: 538 records of its store were not received.',
    'received: The chain of its store differs from what was received.',
  ]);
  assert.equal(illOf('south'), []);
  roster.setGaps([]);
  assert.equal(illOf('north'), []);
});
