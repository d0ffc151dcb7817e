import * as assert from 'uvu/assert';
import { AuditMode } from './audit.js';
import { CommandAudited, EventAudited } from './events/audited.js';
import { Event, SystemEvent, type MessageType } from './message.js';
import { Problem } from './problems.js';
import { SystemEventOptions } from './system-event-options.js';
import { systemMessageCategoryOf, systemMessages } from './system-messages.js';
import { suite } from './testing/suite.js';

const test = suite('system-event-options');

class OrderCreated extends Event {}
class DiskFilled extends SystemEvent {}

const flagsOf = (options: SystemEventOptions): Readonly<Record<string, boolean>> => ({
  events: options.eventAuditEnabled,
  commands: options.commandAuditEnabled,
  audit: options.auditEnabled,
  perspectives: options.perspectiveEventsEnabled,
  errors: options.errorEventsEnabled,
  processes: options.processEventsEnabled,
});
const off = {
  events: false,
  commands: false,
  audit: false,
  perspectives: false,
  errors: false,
  processes: false,
};

const enabledCategories = (options: SystemEventOptions): readonly unknown[] => [
  ...new Set(
    [...systemMessages.values()].filter((type) => options.isEnabled(type)).map(systemMessageCategoryOf),
  ),
];

test('by default system events stay local, audits opt out, and every flag is off', () => {
  const options = new SystemEventOptions();
  assert.is(options.localOnly, true);
  assert.is(options.auditMode, 'OptOut');
  assert.equal(flagsOf(options), off);
});

test('each method enables what it names', () => {
  const after = (configure: (options: SystemEventOptions) => SystemEventOptions): unknown =>
    flagsOf(configure(new SystemEventOptions()));
  assert.equal(
    after((o) => o.enableEventAudit()),
    { ...off, events: true, audit: true },
  );
  assert.equal(
    after((o) => o.enableCommandAudit()),
    { ...off, commands: true, audit: true },
  );
  assert.equal(
    after((o) => o.enableAudit()),
    { ...off, events: true, commands: true, audit: true },
  );
  assert.equal(
    after((o) => o.enablePerspectiveEvents()),
    { ...off, perspectives: true },
  );
  assert.equal(
    after((o) => o.enableErrorEvents()),
    { ...off, errors: true },
  );
  assert.equal(
    after((o) => o.enableProcessEvents()),
    { ...off, processes: true },
  );
  assert.equal(
    after((o) => o.enableAll()),
    {
      events: true,
      commands: true,
      audit: true,
      perspectives: true,
      errors: true,
      processes: true,
    },
  );
  assert.equal(
    after((o) => o.broadcast()),
    off,
  );
});

test('methods chain on the same options', () => {
  const options = new SystemEventOptions();
  assert.is(
    options
      .enableAudit()
      .enablePerspectiveEvents()
      .enableErrorEvents()
      .enableProcessEvents()
      .enableAll()
      .broadcast(),
    options,
  );
});

test('broadcast and localOnly are one switch', () => {
  const options = new SystemEventOptions().broadcast();
  assert.is(options.localOnly, false);
  options.localOnly = true;
  assert.is(options.localOnly, true);
  assert.is(new SystemEventOptions().enableAll().localOnly, true);
});

test('the audit mode can be set to OptIn; an unknown mode is rejected', () => {
  const options = new SystemEventOptions();
  options.auditMode = AuditMode.OptIn;
  assert.is(options.auditMode, 'OptIn');
  for (const mode of ['optin', '', 'toString', undefined]) {
    assert.throws(
      () => {
        options.auditMode = mode as AuditMode;
      },
      (error: unknown) => error instanceof Problem && error.message.includes('OptOut or OptIn'),
    );
  }
  assert.is(options.auditMode, 'OptIn');
});

test('the flags are set by methods only', () => {
  const options = new SystemEventOptions();
  assert.throws(() => Object.assign(options, { eventAuditEnabled: true }), /only a getter/);
});

test('security, migration, operator and deployment events need no flag, the others do', () => {
  assert.equal(enabledCategories(new SystemEventOptions()), [
    'security',
    'migration',
    'operator',
    'deployment',
    'store',
  ]);
  assert.equal(enabledCategories(new SystemEventOptions().enableEventAudit()), [
    'event-audit',
    'security',
    'migration',
    'operator',
    'deployment',
    'store',
  ]);
  assert.equal(enabledCategories(new SystemEventOptions().enableAll()), [
    'event-audit',
    'command-audit',
    'security',
    'perspective',
    'migration',
    'operator',
    'deployment',
    'store',
    'error',
    'process',
  ]);
});

test('a type is enabled by its class or its name alike', () => {
  const options = new SystemEventOptions().enableEventAudit();
  assert.ok(options.isEnabled(EventAudited) && options.isEnabled('EventAudited'));
  assert.not(options.isEnabled(CommandAudited) || options.isEnabled('CommandAudited'));
});

test('a system event of the service is always enabled, a domain event never', () => {
  assert.ok(new SystemEventOptions().isEnabled(DiskFilled));
  assert.not(new SystemEventOptions().enableAll().isEnabled(OrderCreated));
  assert.not(new SystemEventOptions().enableAll().isEnabled('OrderCreated'));
});

test('isEnabled without a type is an error', () => {
  assert.throws(() => new SystemEventOptions().isEnabled(undefined as unknown as MessageType), /missing/);
});

test('everything set since a checkpoint can be undone', () => {
  const options = new SystemEventOptions().enableErrorEvents();
  const undo = options.checkpoint();
  options.enableAll().broadcast().auditMode = 'OptIn';
  undo();
  assert.equal(flagsOf(options), { ...off, errors: true });
  assert.equal([options.localOnly, options.auditMode], [true, 'OptOut']);
});
