import * as assert from 'uvu/assert';
import { auditMarkOf } from './audit.js';
import { EventAudited } from './events/audited.js';
import { MigrationItemFailed } from './events/migration.js';
import type { StreamRewindStarted } from './events/perspective.js';
import { Command, Event, SystemEvent } from './message.js';
import { Problem } from './problems.js';
import {
  isSystemMessage,
  systemMessageCategoryOf,
  systemMessages,
  type SystemMessage,
} from './system-messages.js';
import { suite } from './testing/suite.js';

const test = suite('system-messages');

class OrderCreated extends Event {
  orderId!: string;
}
class CreateOrder extends Command {}
class DiskFilled extends SystemEvent {}

test('the system messages are 2 audits, 4 security, 8 perspective, 5 migration, 4 operator, 4 deployment, 6 store, 6 error and 4 process events', () => {
  const counts = new Map<unknown, number>();
  for (const type of systemMessages.values()) {
    const category = systemMessageCategoryOf(type);
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  assert.equal(Object.fromEntries(counts), {
    'event-audit': 1,
    'command-audit': 1,
    security: 4,
    perspective: 8,
    migration: 5,
    operator: 4,
    deployment: 4,
    store: 6,
    error: 6,
    process: 4,
  });
});

test('a system message is found by its class and by its wire name', () => {
  for (const [name, type] of systemMessages) {
    assert.is(type.name, name);
    assert.ok(isSystemMessage(type), name);
    assert.is(systemMessageCategoryOf(name), systemMessageCategoryOf(type), name);
  }
  assert.is(systemMessageCategoryOf('StreamRewindStarted'), 'perspective');
  assert.is(systemMessageCategoryOf(MigrationItemFailed), 'migration');
});

test('every system message is marked as excluded from auditing', () => {
  for (const [name, type] of systemMessages) assert.is(auditMarkOf(type)?.exclude, true, name);
});

test('domain events, commands and unknown names are not system messages', () => {
  for (const type of [OrderCreated, CreateOrder, Event, 'OrderCreated', 'toString']) {
    assert.not(isSystemMessage(type));
  }
});

test('a class of the service that extends SystemEvent is a custom system message', () => {
  assert.is(systemMessageCategoryOf(DiskFilled), 'custom');
  assert.is(systemMessageCategoryOf('DiskFilled'), 'custom', 'from then on it is found by its name');
});

test('a subclass belongs to the category of its base class', () => {
  class TenantEventAudited extends EventAudited {}
  assert.is(systemMessageCategoryOf(TenantEventAudited), 'event-audit');
});

test('a missing type is rejected instead of being treated as a domain event', () => {
  for (const nothing of [undefined, null, '', {}]) {
    assert.throws(
      () => Reflect.apply(isSystemMessage, undefined, [nothing]),
      (error: unknown) => error instanceof Problem && error.code === 'invalid-setup',
    );
  }
});

test('the compiler distinguishes system messages from domain events', () => {
  const custom: DiskFilled extends SystemMessage ? true : false = true;
  const rewind: StreamRewindStarted extends SystemMessage ? true : false = true;
  const domain: OrderCreated extends SystemMessage ? true : false = false;
  assert.equal([custom, rewind, domain], [true, true, false]);
});
