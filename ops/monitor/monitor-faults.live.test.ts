import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { connect as connectNats } from 'nats';
import { suite } from '../../contracts/testing/suite.js';
import { encodeEnvelope } from '../../runtime/envelope/envelope-codec.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { loginTo } from '../../runtime/testing/nats-login.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withBroadcastingHost } from '../testing/broadcasting-host.js';
import { withMonitored, hasAll, linesOf, published } from '../testing/monitored-hosts.js';

const test = suite('svc monitor');

test('garbage on the subjects does not stop it', () =>
  withMonitored(async ({ nats, store, monitor }) =>
    monitor(async (watching) => {
      const sender = await connectNats(loginTo(nats));
      const forger = new ForeignStore();
      const status = { messageType: 'HostStatus', payload: { checks: [null] } };
      const bodies = [
        Buffer.from('garbage'),
        Buffer.alloc(0),
        Buffer.alloc(900_000, 7),
        encodeEnvelope(forger.event(SystemEventStreams.streamId, status)),
        encodeEnvelope({ ...forger.event(SystemEventStreams.streamId), messageType: 'CommandAudited' }),
      ];
      for (const subject of ['svc.system.HostStatus', 'svc.system.Whatever', 'svc.core.auditevents'])
        for (const body of bodies) await published(() => sender.jetstream().publish(subject, body));
      await sender.close();
      await withBroadcastingHost('north', nats, async (north) => {
        await north.order();
        await hasAll(store, 'north', north);
      });
      // Of messages that are handled together, those that are good are stored first.
      const dead = () => rowsOf(store, 'SELECT 1 FROM svc_dead_letters');
      await until(async () => (await dead()).length >= 3 * bodies.length);
      assert.is((await dead()).length, 3 * bodies.length);
      assert.is((await fetch(`${watching.url}/health/live`)).status, 200);
    }),
  ));

test('repeatedly lost connections to its store do not end it, and no record is skipped', () =>
  withMonitored(async ({ nats, store, monitor }) =>
    withBroadcastingHost('north', nats, (north) =>
      monitor(async (watching) => {
        for (let n = 0; n < 12; n++) {
          await north.order();
          await rowsOf(
            store,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'monitor' AND datname = current_database()",
          );
          await delay(150);
        }
        await hasAll(store, 'north', north);
        const sent = await north.broadcast();
        await until(() => linesOf(watching).length >= sent.length, 30_000);
        assert.equal(
          linesOf(watching).map(({ position }) => position),
          sent.map((_, index) => index + 1),
        );
      }),
    ),
  ));
