import * as assert from 'uvu/assert';
import type { Behavior } from '../contracts/receptor.js';
import { SystemEventStreams } from '../contracts/system-stream.js';
import { suite } from '../contracts/testing/suite.js';
import { AuditingEventStore } from '../runtime/audit/auditing-event-store.js';
import { type Addition, addService } from '../runtime/service/service.js';
import { eventStore } from '../runtime/service/register-event-store.js';
import { collect } from '../runtime/kit/collect.js';
import { InMemoryEventStore } from '../runtime/kit/in-memory-event-store.js';
import { envelope, ShopInspected, ShopOpened, street } from './testing/bakery-service.js';
import { addSystemEventAuditing, addSystemEvents } from './add-system-events-and-auditing.js';
import { thrownBy } from '../runtime/testing/thrown-by.js';

const test = suite('system events');

test('without a callback nothing is enabled', () => {
  const { options } = addService().with(addSystemEvents()).with(addSystemEventAuditing());
  assert.is(options.auditEnabled || options.errorEventsEnabled || options.perspectiveEventsEnabled, false);
});

test('the emitter may be added before the store, and stores as soon as there is one', async () => {
  const store = new InMemoryEventStore();
  const service = addService().with(addSystemEvents()).with(eventStore(store));
  await service.emitter.emit(ShopInspected.of({ by: 'Ada' }));
  assert.is(await store.lastPosition('00000000-0000-0000-0000-000000000001'), 1);
});

test('stopping the service stops its emitter', async () => {
  const service = addService().with(eventStore(new InMemoryEventStore())).with(addSystemEvents());
  await service.stop();
  const problem = await thrownBy(() => service.emitter.emit(ShopInspected.of({ by: 'Ada' })));
  assert.is(problem.code, 'draining');
});

test('an audit is stored before its hook runs', async () => {
  const store = new InMemoryEventStore();
  const positions: Promise<number>[] = [];
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEvents((o) => o.enableEventAudit()))
    .onSystemEvent('sys-audit', () => void positions.push(store.lastPosition(street)));
  await service.eventStore.append(street, envelope(ShopOpened.of({ street: 'a' })));
  assert.equal(await Promise.all(positions), [1]);
});

test('a callback that fails leaves the service without system events', async () => {
  const service = addService();
  const problem = await thrownBy(() =>
    service.with(addSystemEvents((o) => Reflect.set(o, 'auditMode', 'Never'))),
  );
  assert.is(problem.code, 'invalid-setup');
  assert.is(service.parts.systemEventsRegistered, false);
});

test('an addition that fails leaves the options unchanged', async () => {
  for (const add of [addSystemEvents, addSystemEventAuditing]) {
    const service = addService();
    const problem = await thrownBy(() => service.with(add((o) => o.enableAll().broadcast())));
    assert.is(problem.code, 'invalid-setup');
    const { auditEnabled, errorEventsEnabled, localOnly } = service.options;
    assert.equal([auditEnabled, errorEventsEnabled, localOnly], [false, false, true]);
    assert.is(service.behaviors.length, 0);
  }
});

test('a store that an addition decorated explicitly counts as decorated, also for what handlers append', () => {
  const byHand: Addition = (parts) => {
    if (parts.eventStore !== undefined)
      parts.eventStore = new AuditingEventStore(parts.eventStore, { queue: () => undefined }, parts.options);
  };
  const service = addService().with(eventStore(new InMemoryEventStore())).with(byHand);
  const { eventStore: decorated } = service;
  service.with(addSystemEvents((o) => o.enableEventAudit()));
  assert.is(service.eventStore, decorated);
  assert.ok(service.parts.auditing.coversAppends);
  assert.throws(() => service.with(eventStore(new InMemoryEventStore())), /already decorated with auditing/);
});

test('a store and a behavior of the application that declare that they audit are not doubled', () => {
  const store = Object.assign(new InMemoryEventStore(), { auditsAppends: true });
  const behavior: Behavior = { auditsCommands: true, handle: (_command, next) => next() };
  const service = addService()
    .with(eventStore(store))
    .with(({ behaviors }) => void behaviors.push(behavior))
    .with(addSystemEventAuditing((o) => o.enableAudit()));
  assert.is(service.eventStore, store);
  assert.equal(service.behaviors, [behavior]);
  assert.ok(service.parts.auditing.coversAppends);
});

test('a hook receives the time at which its audit was recorded', async () => {
  const store = new InMemoryEventStore();
  const times: unknown[] = [];
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEvents((o) => o.enableEventAudit()))
    .onSystemEvent('sys-audit', ({ timestamp }) => void times.push(timestamp));
  const opened = envelope(ShopOpened.of({ street: 'a' }));
  await service.eventStore.append(street, opened);
  await service.eventStore.append(street, opened);
  const recorded = await collect(store.read(SystemEventStreams.streamId));
  assert.equal(
    times,
    recorded.map(({ recordedAt }) => recordedAt),
  );
  assert.is(times.length, 1);
});
