import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Transport } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { until } from '../../runtime/kit/until.js';
import { followingService } from '../testing/following-service.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { untilReady } from '../testing/probed-host.js';
import { broadcasting, count, isSubscribed, order, overNats, withHost } from '../testing/receiving-hosts.js';

const test = suite('inbox of a system stream');

const monitor: ServiceDefinition = {
  name: 'monitor',
  receive: 'system',
  create: () => ({ endpoints: [], receptors: [] }),
};

test('a monitor stores the system stream of a broadcasting store, whichever started first, and its chain verifies', () =>
  overNats((world) =>
    withHost(ordersAlone, broadcasting, world.transport(), async (near) => {
      for (let n = 0; n < 10; n++) await order(near);
      await withHost(monitor, broadcasting, world.transport(), async (far) => {
        for (let n = 0; n < 10; n++) await order(near);
        const columns =
          'stream_position, event_id, event_type, data::text, original_position, digest, hash, host, recorded_at::text';
        const sent = await near.rows(`SELECT ${columns} FROM svc_system_events ORDER BY stream_position`);
        const isAll = async () => (await count(far, 'svc_received_system_events')) >= sent.length;
        await until(isAll);
        assert.equal(await far.rows(`SELECT ${columns} FROM svc_received_system_events ORDER BY id`), sent);
        const database = openDatabase({ url: far.url });
        const [[origin] = []] = await near.rows('SELECT id FROM svc_store');
        const report = await verifyChain(database, { origin });
        await database.close();
        assert.equal([report.ok, report.records, report.missing], [true, sent.length, 0]);
        assert.is(await count(far, 'svc_events WHERE origin <> 0'), 0);
      });
    }),
  ));

const isReachable = (transport: Transport) => (): Promise<boolean> =>
  transport.ping().then(
    () => true,
    () => false,
  );

test('garbage on every subject becomes a dead letter or is skipped, and the hosts continue', () =>
  overNats((world) =>
    withHost({ ...followingService, receive: 'system' }, broadcasting, world.transport(), (far) =>
      withHost(ordersAlone, broadcasting, world.transport(), async (near) => {
        const sender = world.transport();
        await until(() => isSubscribed(far));
        await until(isReachable(sender));
        const poison = { loaves: '\0' };
        for (const [destination, envelope] of garbage(poison))
          await sender.publish({ destination, id: newUuid(), envelope: envelope as StoredEvent });
        await order(near);
        await until(async () => (await count(far, 'svc_events WHERE origin <> 0')) === 1);
        await until(async () => (await count(far, 'svc_dead_letters')) === garbage(poison).length);
        assert.is(await count(far, "svc_dead_letters WHERE source <> 'inbox' OR last_error = ''"), 0);
        await until(
          async () => (await count(far, "svc_system_events WHERE event_type = 'MessageDeadLettered'")) > 0,
        );
        await untilReady(far.host.url, ({ code }) => code === 200);
        await sender.close();
      }),
    ),
  ));

/** What a buggy or hostile sender could publish on our subjects. */
function garbage(payload: unknown): [string, unknown][] {
  const subjects = [
    'svc.events.OrderCreated',
    'svc.system.HookFailed',
    'svc.system.ChainHead',
    'svc.core.auditevents',
  ];
  return subjects.flatMap((subject): [string, unknown][] => [
    [subject, { nothing: subject }],
    [subject, { ...new ForeignStore().event(newUuid(), { payload }), v: 'one' }],
    [subject, new ForeignStore().event(newUuid(), { messageType: 'Elsewhere' })],
  ]);
}
