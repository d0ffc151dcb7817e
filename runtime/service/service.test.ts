import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { NoOpSystemEventEmitter } from './no-op-emitter.js';
import { addService } from './service.js';
import { eventStore } from './register-event-store.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';

const test = suite('service');

test('a new service has the no-op emitter, no behavior, and a filter that keeps system events local', () => {
  const service = addService();
  assert.instance(service.emitter, NoOpSystemEventEmitter);
  assert.equal(service.behaviors, []);
  assert.is(service.transportFilter.shouldReceiveFromTransport('EventAudited'), false);
  assert.is(service.options.auditEnabled, false);
});

test('additions apply in order, and each returns the service', () => {
  const seen: number[] = [];
  const service = addService();
  assert.is(
    service.with(() => seen.push(1)).with(() => seen.push(2)),
    service,
  );
  assert.equal(seen, [1, 2]);
});

test('addService on an existing service changes nothing', () => {
  const service = addService().with(eventStore(new InMemoryEventStore()));
  const parts = { ...service.parts };
  assert.is(addService(service), service);
  assert.equal({ ...service.parts }, parts);
});

test('two services share nothing', () => {
  const one = addService();
  one.options.enableAll();
  assert.is(addService().options.auditEnabled, false);
});

test('there is no event store before one is registered, and the error names how to register one', () => {
  assert.throws(
    () => addService().eventStore,
    (error: unknown) => error instanceof Problem && /with\(postgresEventStore\(/.test(error.message),
  );
  const store = new InMemoryEventStore();
  assert.is(addService().with(eventStore(store)).eventStore, store);
});

test('stopping releases everything once, in reverse order', async () => {
  const stopped: string[] = [];
  const service = addService().with(({ stops }) => {
    stops.push(() => void stopped.push('store'));
    stops.push(async () => void stopped.push('emitter'));
  });
  await service.stop();
  await service.stop();
  assert.equal(stopped, ['emitter', 'store']);
});

test('a hook for a reserved tag is rejected when it is registered', () => {
  assert.throws(() => addService().onSystemEvent('sys-own', () => undefined), /reserved/);
  const service = addService();
  assert.is(
    service.onSystemEvent('sys-audit', () => undefined),
    service,
  );
});
