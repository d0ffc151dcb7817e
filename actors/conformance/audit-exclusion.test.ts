import * as assert from 'uvu/assert';
import { systemMessages } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import {
  DoorMoved,
  PeekInside,
  RentPaid,
  ShopInspected,
  ShopOpened,
  shopWith,
} from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: exclusion from auditing');

test('ShouldExcludeFromAudit is true when the type is excluded from auditing', () => {
  const { emitter } = shopWith().service;
  assert.is(emitter.shouldExcludeFromAudit(DoorMoved), true);
  assert.is(emitter.shouldExcludeFromAudit(PeekInside), true);
  assert.is(emitter.shouldExcludeFromAudit(ShopOpened), false);
  assert.is(emitter.shouldExcludeFromAudit(RentPaid), false);
});

test('ShouldExcludeFromAudit reads the mark alone: neither flags nor AuditMode matter', () => {
  const { service } = shopWith(() => undefined);
  service.options.auditMode = 'OptIn';
  assert.is(service.emitter.shouldExcludeFromAudit(ShopOpened), false);
  assert.is(service.emitter.shouldExcludeFromAudit(DoorMoved), true);
});

test('ShouldExcludeFromAudit is true for every system message, by class and by name', () => {
  const { emitter } = shopWith().service;
  for (const type of [...systemMessages.values(), ShopInspected])
    assert.is(emitter.shouldExcludeFromAudit(type), true, type.name);
  for (const name of systemMessages.keys()) assert.is(emitter.shouldExcludeFromAudit(name), true, name);
});

test('ShouldExcludeFromAudit finds the mark of a known class by its name', () => {
  const { service } = shopWith();
  assert.is(service.emitter.shouldExcludeFromAudit('DoorMoved'), false);
  service.parts.policy.register([DoorMoved, ShopInspected]);
  assert.is(service.emitter.shouldExcludeFromAudit('DoorMoved'), true);
  assert.is(service.emitter.shouldExcludeFromAudit('ShopInspected'), true);
});

test('ShouldExcludeFromAudit of no type is an error', async () => {
  const { emitter } = shopWith().service;
  assert.is((await thrownBy(() => emitter.shouldExcludeFromAudit(undefined as never))).code, 'invalid-setup');
});
