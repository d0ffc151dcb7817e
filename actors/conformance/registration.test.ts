import * as assert from 'uvu/assert';
import type { EventStore } from '../../contracts/event-store.js';
import { AccessDenied } from '../../contracts/events/access.js';
import { suite } from '../../contracts/testing/suite.js';
import { AuditingEventStore } from '../../runtime/audit/auditing-event-store.js';
import { NoOpSystemEventEmitter } from '../../runtime/service/no-op-emitter.js';
import { addService } from '../../runtime/service/service.js';
import { eventStore } from '../../runtime/service/register-event-store.js';
import { RecordingEventStore } from '../../runtime/testing/recording-event-store.js';
import { SystemEventTransportFilter } from '../../runtime/transport/system-event-filter.js';
import { CommandAuditBehavior } from '../commands/command-audit-behavior.js';
import { SystemEventEmitterActor } from '../system-event-emitter.js';
import {
  addSystemEventAuditing,
  addSystemEvents,
  decorateEventStoreWithAuditing,
} from '../add-system-events-and-auditing.js';
import {
  envelope,
  OpenShop,
  openShop,
  shopOver,
  readers,
  shopWith,
  ShopOpened,
  street,
} from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: registration');

const denied = () =>
  new AccessDenied({
    resourceType: 'shop',
    requiredPermission: 'shop:write',
    callerPermissions: [],
    callerRoles: [],
    scope: {},
    reason: 'InsufficientPermission',
    timestamp: '2026-03-01T09:30:00Z',
  });

test('AddService() registers the no-op emitter as the default, so injecting the emitter is always safe', async () => {
  const { emitter } = addService();
  assert.instance(emitter, NoOpSystemEventEmitter);
  await emitter.emit(denied());
  await emitter.emitCommandAudited(OpenShop.of({ street: 'a' }), undefined, 'r');
  await emitter.emitEventAudited(street, 1, envelope(ShopOpened.of({ street: 'a' })));
});

test('AddService() never overwrites a real emitter', () => {
  const service = addService().with(addSystemEvents());
  const real = service.emitter;
  assert.instance(real, SystemEventEmitterActor);
  assert.is(addService(service), service);
  assert.is(service.emitter, real);
});

test('with only AddService() nothing is stored, even with every flag on', async () => {
  const store = new RecordingEventStore();
  const service = addService().with(eventStore(store));
  service.options.enableAll();
  const { dispatcher, system } = shopOver(service, store);
  await dispatcher.localInvoke(OpenShop.of({ street: 'a' }));
  await service.emitter.emit(denied());
  assert.equal(await system(), []);
});

test('AddSystemEvents registers the transport publish filter', () => {
  const service = addService().with(addSystemEvents((o) => o.broadcast()));
  assert.instance(service.transportFilter, SystemEventTransportFilter);
  assert.is(service.transportFilter.shouldReceiveFromTransport('EventAudited'), true);
});

test('AddSystemEvents replaces the no-op emitter with the real one', async () => {
  const store = new RecordingEventStore();
  const service = addService().with(eventStore(store)).with(addSystemEvents());
  await service.emitter.emit(denied());
  assert.is((await readers(store).system('AccessDenied')).length, 1);
});

test('AddSystemEvents with EnableEventAudit() decorates an already registered event store', async () => {
  const store = new RecordingEventStore();
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEvents((o) => o.enableEventAudit()));
  assert.instance(service.eventStore, AuditingEventStore);
  await service.eventStore.append(street, envelope(ShopOpened.of({ street: 'a' })));
  assert.is((await readers(store).system('EventAudited')).length, 1);
});

test('AddSystemEvents without EnableEventAudit() leaves the event store unchanged', () => {
  const store = new RecordingEventStore();
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEvents((o) => o.enableCommandAudit().enableErrorEvents()));
  assert.is(service.eventStore, store);
});

test('AddSystemEvents must be called after the event store is registered, and names the call to make first', async () => {
  const problem = await thrownBy(() => addService().with(addSystemEvents((o) => o.enableEventAudit())));
  assert.is(problem.code, 'invalid-setup');
  assert.match(problem.message, /^addSystemEvents .*call with\(postgresEventStore\(/);
});

test('AddSystemEvents without event audit needs no event store', () => {
  addService().with(addSystemEvents((o) => o.enableCommandAudit()));
});

test('a store that is registered after the decoration is refused, naming the order', async () => {
  const service = shopWith().service;
  const problem = await thrownBy(() => service.with(eventStore(new RecordingEventStore())));
  assert.match(problem.message, /register the store before addSystemEvents/);
});

test('an event store that cannot commit an audit with its event is refused before anything is appended', async () => {
  const plain: EventStore = {
    append: async () => ({ positions: [1], globalPositions: [1] }),
    async *read() {},
    async *readAll() {},
    lastPosition: async () => 0,
  };
  const service = addService().with((parts) => {
    parts.eventStore = plain;
  });
  const problem = await thrownBy(() => service.with(decorateEventStoreWithAuditing()));
  assert.match(problem.message, /^decorateEventStoreWithAuditing needs an event store that commits/);
});

test('AddSystemEvents does not register the command audit behavior', () => {
  assert.equal(addService().with(addSystemEvents((o) => o.enableCommandAudit())).behaviors, []);
});

test('AddSystemEventAuditing does everything AddSystemEvents does, plus the command audit behavior', () => {
  const service = shopWith((o) => o.enableAudit().broadcast()).service;
  assert.instance(service.emitter, SystemEventEmitterActor);
  assert.instance(service.eventStore, AuditingEventStore);
  assert.is(service.transportFilter.shouldReceiveFromTransport('EventAudited'), true);
  assert.is(service.behaviors.length, 1);
  assert.instance(service.behaviors[0], CommandAuditBehavior);
});

test('the command audit behavior is added only if not already registered', () => {
  const service = shopWith().service.with(addSystemEventAuditing()).with(addSystemEventAuditing());
  assert.is(service.behaviors.length, 1);
});

test('AddSystemEventAuditing before an event store throws like AddSystemEvents', async () => {
  const problem = await thrownBy(() => addService().with(addSystemEventAuditing((o) => o.enableAudit())));
  assert.match(problem.message, /none is registered yet/);
});

test('repeated additions are idempotent: one emitter, one decoration, one audit per event and command', async () => {
  const { service, store, recorded } = shopWith();
  const { emitter, eventStore: decorated } = service;
  service
    .with(addSystemEvents((o) => o.enableAudit()))
    .with(addSystemEventAuditing((o) => o.enableAudit()))
    .with(decorateEventStoreWithAuditing());
  assert.is(service.emitter, emitter);
  assert.is(service.eventStore, decorated);
  await shopOver(service, store).dispatcher.localInvoke(OpenShop.of({ street: 'a' }));
  assert.is((await recorded('EventAudited')).length, 1);
  assert.is((await recorded('CommandAudited')).length, 1);
});

test('configure callbacks of repeated additions apply in order to one options object', () => {
  const seen: unknown[] = [];
  const service = addService()
    .with(addSystemEvents((o) => seen.push(o, o.commandAuditEnabled) && o.enableCommandAudit().broadcast()))
    .with(
      addSystemEventAuditing((o) => {
        seen.push(o, o.commandAuditEnabled);
        o.localOnly = true;
      }),
    );
  assert.equal(seen, [service.options, false, service.options, true]);
  assert.is(service.options.localOnly, true);
  assert.is(service.options.commandAuditEnabled, true);
});

test('a later addition may enable what an earlier one left off', async () => {
  const store = new RecordingEventStore();
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEvents())
    .with(addSystemEvents((o) => o.enableEventAudit()));
  await service.eventStore.append(street, envelope(ShopOpened.of({ street: 'a' })));
  assert.is((await readers(store).recorded('EventAudited')).length, 1);
});

test('DecorateEventStoreWithAuditing() decorates the registered event store explicitly', async () => {
  const store = new RecordingEventStore();
  const service = addService().with(eventStore(store)).with(addSystemEvents());
  service.with(decorateEventStoreWithAuditing());
  assert.instance(service.eventStore, AuditingEventStore);
  await service.eventStore.append(street, envelope(ShopOpened.of({ street: 'a' })));
  assert.equal(await readers(store).system(), [], 'the decorator checks eventAuditEnabled too');
  service.options.enableEventAudit();
  await service.eventStore.append(street, envelope(ShopOpened.of({ street: 'a' })));
  assert.is((await readers(store).recorded('EventAudited')).length, 1);
});

test('DecorateEventStoreWithAuditing() twice is a no-op', () => {
  const service = shopWith().service;
  const once = service.eventStore;
  assert.is(service.with(decorateEventStoreWithAuditing()).eventStore, once);
});

test('DecorateEventStoreWithAuditing() before an event store throws, naming the call to make first', async () => {
  const problem = await thrownBy(() => addService().with(decorateEventStoreWithAuditing()));
  assert.match(problem.message, /^decorateEventStoreWithAuditing .*call with\(postgresEventStore\(/);
});

test('reading the event store before one is registered names the call to make first', async () => {
  const problem = await thrownBy(() => addService().eventStore);
  assert.match(problem.message, /add one first: service\.with\(postgresEventStore\(/);
});

test('emitting before an event store is registered names the call to make first', async () => {
  const service = addService().with(addSystemEvents());
  const problem = await thrownBy(() => service.emitter.emit(denied()));
  assert.match(problem.message, /add one first: service\.with\(postgresEventStore\(/);
});

test('what a handler appends is audited only where the event store is decorated', async () => {
  const store = new RecordingEventStore();
  const service = addService().with(eventStore(store)).with(addSystemEventAuditing());
  service.options.enableEventAudit();
  const { dispatcher, recorded } = shopOver(service, store, { OpenShop: openShop });
  await dispatcher.localInvoke(OpenShop.of({ street: 'a' }));
  assert.equal(await recorded('EventAudited'), []);
  service.with(decorateEventStoreWithAuditing());
  await dispatcher.localInvoke(OpenShop.of({ street: 'b' }));
  assert.is((await recorded('EventAudited')).length, 1);
});
