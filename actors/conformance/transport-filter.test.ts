import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { systemMessages } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { SystemEventTransportFilter } from '../../runtime/transport/system-event-filter.js';
import {
  envelope,
  OpenShop,
  ShopInspected,
  ShopOpened,
  shopWith,
  street,
} from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: transport publish filter');

const local = new SystemEventTransportFilter(new SystemEventOptions());
const broadcasting = new SystemEventTransportFilter(new SystemEventOptions().broadcast());
const anyOf = (type: unknown) => Object.create((type as { prototype: object }).prototype) as object;

test('ShouldPublishToTransport: true for any message that is not a system event', () => {
  for (const filter of [local, broadcasting]) {
    assert.is(filter.shouldPublishToTransport(ShopOpened.of({ street: 'a' })), true);
    assert.is(filter.shouldPublishToTransport(OpenShop.of({ street: 'a' })), true);
    assert.is(filter.shouldPublishToTransport(envelope(ShopOpened.of({ street: 'a' }))), true);
    assert.is(filter.shouldPublishToTransport({ ...envelope({}), messageType: 'ShopOpened' }), true);
  }
});

test('ShouldPublishToTransport: for a system event, true only when LocalOnly is false', () => {
  for (const [name, type] of systemMessages) {
    for (const message of [anyOf(type), envelope(anyOf(type)), { ...envelope({}), messageType: name }]) {
      assert.is(local.shouldPublishToTransport(message), false, name);
      assert.is(broadcasting.shouldPublishToTransport(message), true, name);
    }
  }
});

test('ShouldPublishToTransport recognizes a system event of the application by its class or its stream', () => {
  const plain = { ...envelope({}), messageType: 'ShopInspected', streamId: SystemEventStreams.streamId };
  for (const message of [ShopInspected.of({ by: 'Ada' }), envelope(ShopInspected.of({ by: 'Ada' })), plain]) {
    assert.is(local.shouldPublishToTransport(message), false);
    assert.is(broadcasting.shouldPublishToTransport(message), true);
  }
});

test('ShouldReceiveFromTransport: true for any type that is not a system event type', () => {
  for (const filter of [local, broadcasting]) {
    assert.is(filter.shouldReceiveFromTransport(ShopOpened), true);
    assert.is(filter.shouldReceiveFromTransport('ShopOpened'), true);
  }
});

test('ShouldReceiveFromTransport: for a system event type, true only when LocalOnly is false', () => {
  for (const [name, type] of systemMessages) {
    for (const nameOrType of [name, type]) {
      assert.is(local.shouldReceiveFromTransport(nameOrType), false, name);
      assert.is(broadcasting.shouldReceiveFromTransport(nameOrType), true, name);
    }
  }
  assert.is(local.shouldReceiveFromTransport(ShopInspected), false);
});

test('no type, or no message, is an error', async () => {
  for (const filter of [local, broadcasting]) {
    for (const nothing of [undefined, null, '']) {
      const received = await thrownBy(() => filter.shouldReceiveFromTransport(nothing as never));
      assert.is(received.code, 'invalid-setup');
      const published = await thrownBy(() => filter.shouldPublishToTransport(nothing as never));
      assert.is(published.code, 'invalid-setup');
    }
  }
});

test('the filter follows the options while they change', () => {
  const options = new SystemEventOptions();
  const filter = new SystemEventTransportFilter(options);
  assert.is(filter.shouldReceiveFromTransport('EventAudited'), false);
  options.broadcast();
  assert.is(filter.shouldReceiveFromTransport('EventAudited'), true);
});

test('the writing host decides when it writes: a record carries whether it may be published', async () => {
  for (const [configure, publish] of [
    [(o: SystemEventOptions) => o.enableAudit(), false],
    [(o: SystemEventOptions) => o.enableAudit().broadcast(), true],
  ] as const) {
    const { service, store, dispatcher } = shopWith(configure);
    await dispatcher.localInvoke(OpenShop.of({ street: 'a' }));
    await service.eventStore.append(street, envelope(ShopOpened.of({ street: 'a' })));
    await service.emitter.emit(ShopInspected.of({ by: 'Ada' }));
    const marks = store.commits.flatMap(({ records }) => records.map((record) => record.publish));
    assert.equal(marks, [publish, publish, publish, publish]);
  }
});
