import * as assert from 'uvu/assert';
import { AuditMode } from '../../contracts/audit.js';
import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import { AccessDenied } from '../../contracts/events/access.js';
import { CommandFailed } from '../../contracts/events/error.js';
import { ProcessStarted } from '../../contracts/events/process.js';
import { MigrationBatchStarted } from '../../contracts/events/migration.js';
import { PerspectiveRebuildStarted } from '../../contracts/events/perspective.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { ShopInspected, ShopOpened } from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: SystemEventOptions');
const options = (): SystemEventOptions => new SystemEventOptions();

test('LocalOnly is settable and true by default', () => {
  const own = options();
  assert.is(own.localOnly, true);
  own.localOnly = false;
  assert.is(own.localOnly, false);
});

test('AuditMode is settable and OptOut by default', () => {
  const own = options();
  assert.is(own.auditMode, AuditMode.OptOut);
  own.auditMode = AuditMode.OptIn;
  assert.is(own.auditMode, 'OptIn');
});

test('AuditMode refuses anything but OptOut and OptIn', async () => {
  const problem = await thrownBy(() => Reflect.set(options(), 'auditMode', 'Sometimes'));
  assert.match(problem.message, /OptOut or OptIn, not 'Sometimes'/);
});

for (const flag of [
  'eventAuditEnabled',
  'commandAuditEnabled',
  'auditEnabled',
  'perspectiveEventsEnabled',
  'errorEventsEnabled',
  'processEventsEnabled',
] as const) {
  test(`${flag} is read-only and false by default`, () => {
    const own = options();
    assert.is(own[flag], false);
    assert.throws(() => {
      (own as unknown as Record<string, unknown>)[flag] = true;
    }, TypeError);
    assert.is(own[flag], false);
  });
}

test('AuditEnabled is derived: EventAuditEnabled or CommandAuditEnabled', () => {
  assert.is(options().enableEventAudit().auditEnabled, true);
  assert.is(options().enableCommandAudit().auditEnabled, true);
  assert.is(options().enablePerspectiveEvents().enableErrorEvents().auditEnabled, false);
});

const flags = (own: SystemEventOptions) => ({
  event: own.eventAuditEnabled,
  command: own.commandAuditEnabled,
  perspective: own.perspectiveEventsEnabled,
  error: own.errorEventsEnabled,
  process: own.processEventsEnabled,
});
const none = { event: false, command: false, perspective: false, error: false, process: false };

const methods = {
  enableAll: { event: true, command: true, perspective: true, error: true, process: true },
  enableAudit: { ...none, event: true, command: true },
  enableEventAudit: { ...none, event: true },
  enableCommandAudit: { ...none, command: true },
  enablePerspectiveEvents: { ...none, perspective: true },
  enableErrorEvents: { ...none, error: true },
  enableProcessEvents: { ...none, process: true },
  broadcast: none,
} as const;

for (const [method, expected] of Object.entries(methods) as [keyof typeof methods, typeof none][]) {
  test(`${method}() sets exactly the flags of its row, and is fluent`, () => {
    const own = options();
    assert.is(own[method](), own);
    assert.equal(flags(own), expected);
    assert.is(own.localOnly, method !== 'broadcast');
    assert.is(own.auditMode, 'OptOut');
  });
}

test('Broadcast() sets LocalOnly = false', () => {
  assert.is(options().broadcast().localOnly, false);
});

test('AuditMode property assignment accepts OptOut and OptIn', () => {
  const own = options().enableAll();
  own.auditMode = 'OptIn';
  own.auditMode = 'OptOut';
  assert.is(own.auditMode, 'OptOut');
});

test('isEnabled: each category follows its own flag', () => {
  const rows = [
    [EventAudited, 'enableEventAudit'],
    [CommandAudited, 'enableCommandAudit'],
    [PerspectiveRebuildStarted, 'enablePerspectiveEvents'],
    [CommandFailed, 'enableErrorEvents'],
    [ProcessStarted, 'enableProcessEvents'],
  ] as const;
  for (const [type, method] of rows) {
    assert.is(options().isEnabled(type), false, type.name);
    assert.is(options()[method]().isEnabled(type), true, type.name);
    assert.is(options()[method]().isEnabled(type.name), true, type.name);
  }
});

test('isEnabled: migration, security and custom system events have no switch', () => {
  for (const type of [MigrationBatchStarted, AccessDenied, ShopInspected])
    assert.is(options().isEnabled(type), true);
});

test('isEnabled of a domain event is false, whatever is enabled', () => {
  assert.is(options().enableAll().isEnabled(ShopOpened), false);
  assert.is(options().enableAll().isEnabled('ShopOpened'), false);
});

test('isEnabled of no type is an error', async () => {
  for (const nothing of [undefined, null, '']) {
    const problem = await thrownBy(() => options().isEnabled(nothing as never));
    assert.is(problem.code, 'invalid-setup');
  }
});
