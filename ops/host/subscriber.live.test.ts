import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { collect } from '../../runtime/kit/collect.js';
import { messageListener } from '../../runtime/testing/message-listener.js';
import { until } from '../../runtime/kit/until.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { followingService } from '../testing/following-service.js';
import { ordersAlone } from '../testing/orders-alone.js';
import {
  broadcasting,
  count,
  inOneProcess,
  isSubscribed,
  order,
  overNats,
  withHost,
} from '../testing/receiving-hosts.js';

const test = suite('host inbox');

for (const [how, inWorld] of [
  ['in one process', inOneProcess],
  ['over NATS', overNats],
] as const) {
  test(`${how}: another store's events are stored once, in stream order, and readAll sees them`, () =>
    inWorld((world) =>
      withHost(followingService, broadcasting, world.transport(), (far) =>
        withHost(ordersAlone, {}, world.transport(), async (near) => {
          await until(() => isSubscribed(far));
          for (let n = 0; n < 25; n++) await order(near);
          await until(async () => (await count(far, 'svc_events')) >= 25);
          const columns =
            "stream_id, stream_position, event_id, event_type, data::text, occurred_at::text, metadata->>'traceparent'";
          const sent = await near.rows(`SELECT ${columns} FROM svc_events ORDER BY event_id`);
          assert.equal(await far.rows(`SELECT ${columns} FROM svc_events ORDER BY event_id`), sent);
          const [[store] = []] = await near.rows('SELECT id FROM svc_store');
          const seen: StoredEvent[] = await collect(
            far.host.service.eventStore.readAll({ after: 0, types: ['OrderCreated'] }),
          );
          assert.equal(
            seen.map((event) => [event.store, event.host]),
            Array.from({ length: 25 }, () => [store, 'orders']),
          );
          const audits = "svc_system_events WHERE event_type IN ('EventAudited', 'CommandAudited')";
          const fromNear = `data ->> 'auditReason' = 'received' AND data -> 'scope' ->> 'origin' = '${store ?? ''}'`;
          assert.equal([await count(far, audits), await count(far, `${audits} AND ${fromNear}`)], [25, 25]);
          assert.is(await count(far, "svc_outbox_pending WHERE event_type = 'OrderCreated'"), 0);
          assert.is(await count(near, 'svc_events'), 25, 'no echo');
        }),
      ),
    ));
}

test('a received event is never published again', () =>
  inOneProcess((world) => {
    const received: OutboundMessage[] = [];
    const ear = world.transport();
    return withHost(followingService, broadcasting, world.transport(), (far) =>
      withHost(ordersAlone, {}, world.transport(), async (near) => {
        await until(() => isSubscribed(far));
        ear.subscribe(messageListener('svc.events.>', (message) => void received.push(message)));
        await order(near);
        await until(async () => (await count(far, 'svc_events')) === 1);
        const drained = `(SELECT position FROM svc_progress WHERE name = 'outbox' AND position >= (SELECT max(global_position) FROM svc_events)) c`;
        await until(async () => (await count(far, drained)) === 1);
        assert.is(received.length, 1);
      }),
    );
  }));

test('a service that receives nothing subscribes to nothing', () => {
  const alone: ServiceDefinition = { name: 'alone', create: () => ({ endpoints: [], receptors: [] }) };
  return withHost(alone, {}, new InProcessTransport(), async ({ host }) => {
    assert.not(host.tree.some(({ name }) => name === 'subscriber'));
  });
});
