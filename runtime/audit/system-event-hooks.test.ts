import * as assert from 'uvu/assert';
import { CommandAudited } from '../../contracts/events/audited.js';
import { AccessGranted } from '../../contracts/events/access.js';
import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { systemEnvelope } from '../envelope/system-envelope.js';
import { SystemEventHooks } from './system-event-hooks.js';

const test = suite('system event hooks');

const recordOf = (message: SystemMessage): StagedRecord => ({
  envelope: systemEnvelope(message),
  publish: false,
});
const audited = (reason?: string) =>
  recordOf(
    new CommandAudited({
      commandType: 'OpenShop',
      commandBody: {},
      timestamp: '2026-03-01T09:30:00Z',
      auditReason: reason,
    }),
  );
const granted = recordOf(
  new AccessGranted({
    resourceType: 'shop',
    usedPermission: 'shop:read',
    accessFilter: 0,
    scope: {},
    timestamp: '2026-03-01T09:30:00Z',
  }),
);

function watched() {
  const hooks = new SystemEventHooks();
  const large: unknown[] = [];
  const failed: unknown[] = [];
  hooks.reports = {
    large: (tag, bytes) => void large.push([tag, bytes]),
    failed: (tag, error) => void failed.push([tag, error]),
  };
  return { hooks, large, failed };
}

const settled = () => new Promise(setImmediate);

test('every hook of a tag gets every record of that tag, in order', () => {
  const { hooks } = watched();
  const seen: string[] = [];
  hooks.on('sys-audit', () => void seen.push('first'));
  hooks.on('sys-audit', () => void seen.push('second'));
  hooks.committed([audited(), audited()]);
  assert.equal(seen, ['first', 'second', 'first', 'second']);
});

test('a tag that is the name of a system message gets that message', () => {
  const { hooks } = watched();
  const seen: unknown[] = [];
  hooks.on('AccessGranted', ({ resourceType }) => void seen.push(resourceType));
  hooks.committed([audited(), granted]);
  assert.equal(seen, ['shop']);
});

test('tags that start with sys- are reserved, and others must name a system message', () => {
  const { hooks } = watched();
  for (const [tag, reason] of [
    ['sys-mine', /start with sys- are reserved/],
    ['sys-', /start with sys- are reserved/],
    ['OrderCreated', /it is not a system message/],
    ['', /it is not a system message/],
  ] as const) {
    try {
      hooks.on(tag, () => undefined);
      assert.unreachable(tag);
    } catch (error) {
      assert.instance(error, Problem);
      assert.match((error as Problem).message, reason);
    }
  }
});

test('a hook that throws or rejects is reported, and affects neither the others nor the caller', async () => {
  const { hooks, failed } = watched();
  const thrown = new TypeError('thrown');
  const rejected = new TypeError('rejected');
  const seen: unknown[] = [];
  hooks.on('sys-audit', () => {
    throw thrown;
  });
  hooks.on('sys-audit', () => Promise.reject(rejected));
  hooks.on('sys-audit', ({ commandType }) => void seen.push(commandType));
  hooks.committed([audited()]);
  await settled();
  assert.equal(failed, [
    ['sys-audit', thrown],
    ['sys-audit', rejected],
  ]);
  assert.equal(seen, ['OpenShop']);
});

const bytesAround = (record: StagedRecord) => {
  const { commandBody: _, ...sent } = record.envelope.payload as CommandAudited;
  return Buffer.byteLength(JSON.stringify(sent));
};
const sized = (bytes: number) => audited('x'.repeat(bytes - bytesAround(audited(''))));

test('a payload of 8 KiB is passed on with a warning, a smaller one without', () => {
  const { hooks, large } = watched();
  let runs = 0;
  hooks.on('sys-audit', () => void runs++);
  hooks.committed([sized(8191)]);
  assert.equal(large, []);
  hooks.committed([sized(8192), sized(65_535)]);
  assert.equal(large, [
    ['sys-audit', 8192],
    ['sys-audit', 65_535],
  ]);
  assert.is(runs, 3);
});

test('a payload of 64 KiB is an error and is passed to no hook', async () => {
  const { hooks, large, failed } = watched();
  let runs = 0;
  hooks.on('sys-audit', () => void runs++);
  hooks.committed([sized(65_536)]);
  await settled();
  assert.is(runs, 0);
  assert.equal(large, []);
  const [[tag, error] = []] = failed as [string, Problem][];
  assert.is(tag, 'sys-audit');
  assert.is(error?.code, 'hook-payload-too-large');
  assert.match(error?.message ?? '', /65536 bytes; at most 65536/);
});

test('bytes are counted, not characters', () => {
  const { hooks, large } = watched();
  hooks.on('sys-audit', () => undefined);
  hooks.committed([audited('é'.repeat(4100))]);
  assert.is(large.length, 1);
});

test('without a hook the payload is not even measured', () => {
  const { hooks } = watched();
  const record = audited();
  Object.defineProperty(record.envelope, 'payload', { get: () => assert.unreachable() });
  hooks.committed([record]);
});
