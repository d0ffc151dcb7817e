import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withBroadcastingHost } from '../testing/broadcasting-host.js';
import { svc, withListening } from '../testing/spawned-host.js';
import { withMonitored, withMonitorOn, hasAll, linesOf } from '../testing/monitored-hosts.js';

const test = suite('svc monitor');

test('a monitor that starts before the broker and the hosts receives all records of both, and prints each', () =>
  withNatsServer((server) =>
    withMonitorOn(server.url, async ({ nats, store, monitor }) => {
      await server.stop();
      await monitor(async (watching) => {
        await server.start();
        await withBroadcastingHost('north', nats, (north) =>
          withBroadcastingHost('south', nats, async (south) => {
            for (let n = 0; n < 5; n++) for (const host of [north, south]) await host.order();
            await hasAll(store, 'north', north);
            await hasAll(store, 'south', south);
            const sent = await north.broadcast();
            await until(() => linesOf(watching).filter(({ host }) => host === 'north').length >= sent.length);
            assert.equal(
              linesOf(watching)
                .filter(({ host }) => host === 'north')
                .map(({ position }) => position)
                .slice(0, sent.length),
              sent.map((_, index) => index + 1),
            );
            const stores = new Set(linesOf(watching).map((line) => line.store));
            assert.is(stores.size, 2, 'each line names its store');
            const database = openDatabase({ url: store });
            for (const origin of stores) {
              const report = await verifyChain(database, { origin });
              assert.equal([report.ok, report.missing], [true, 0]);
            }
            await database.close();
          }),
        );
      });
    }),
  ));

test('a monitor sees the hosts of its namespace, and no others', () =>
  withMonitored(({ nats, store }) =>
    withBroadcastingHost('north', nats, (north) =>
      withBroadcastingHost(
        'apart',
        nats,
        (apart) =>
          withListening(
            ['monitor', '--url', nats, '--port', '0'],
            { DATABASE_URL: store, SVC_NAMESPACE: 'staging' },
            async () => {
              for (const host of [north, apart]) await host.order();
              await hasAll(store, 'apart', apart);
              await until(
                async () =>
                  (await rowsOf(north.databaseUrl, 'SELECT 1 FROM svc_outbox_pending')).length === 0,
              );
              const seen = await rowsOf(store, 'SELECT DISTINCT host FROM svc_received_system_events');
              assert.equal(seen, [['apart']]);
            },
          ),
        'staging',
      ),
    ),
  ));

test('the store of a service is refused', () =>
  withMonitored(({ nats }) =>
    withBroadcastingHost('north', nats, async (north) => {
      await north.order();
      const { code, stderr } = await svc(['monitor', '--url', nats], {
        DATABASE_URL: north.databaseUrl,
      });
      assert.is(code, 1);
      assert.match(stderr, 'a monitor needs its own store');
    }),
  ));

test('without a broker setting it says what to do', async () => {
  const { code, stderr } = await svc(['monitor'], { NATS_URL: '' });
  assert.equal([code, stderr.trim().split('\n').length], [1, 1]);
  assert.match(stderr, 'Set the broker with --url or NATS_URL');
});
