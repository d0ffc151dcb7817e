import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withNatsTap } from '../../runtime/testing/nats-tap.js';
import { durableSettings, type PostgresPair, withPostgresPair } from '../../runtime/testing/postgres-pair.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { startLoad } from '../testing/order-load.js';
import { probe } from '../testing/probed-host.js';
import { startHost } from './host.js';

const test = suite('a host whose primary is lost');

const orders = await loadService(fileURLToPath(new URL('../../examples/orders', import.meta.url)));

test('with sync declared a failover loses nothing that was answered with 200, nothing was published that the standby lacks, and the host finds the promoted server but answers 503 while it has no standby', () =>
  withPostgresPair(
    (pair) =>
      withEmptyNats((NATS_URL) =>
        withNatsTap(NATS_URL, async (tapped) => {
          const published = () =>
            tapped.filter(({ subject, isDelivery }) => subject.startsWith('svc.events.') && !isDelivery);
          const settings = { DATABASE_URL: listOf(pair), SVC_DURABILITY: 'sync', SVC_DEADLINE_MS: '5000' };
          const host = await startHost(orders, readConfig({ SVC_PORT: '0', NATS_URL, ...settings }));
          const load = startLoad({ url: host.url, clients: 4, continues: () => true });
          try {
            await load.reached(10);
            await until(() => published().length > 0);
            await until(async () => (await replicationOf(host.url)).status === 'Healthy');
            await pair.freezeSender();
            await until(async () => (await pair.waiting()).length > 0);
            await pair.admin(
              "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
            );
            await until(async () => (await pair.waiting()).length > 0);
            const promoted = await pair.failOver();
            const before = load.others.get('503') ?? 0;
            await load.refused('503', before + 8);
            await until(async () => /^One copy only/.test((await replicationOf(host.url)).detail ?? ''));
            await load.stop();
            const rows = await rowsOf(promoted, 'SELECT event_id, stream_id FROM svc_events');
            const [ids, streams] = [0, 1].map((column) => new Set(rows.map((row) => row[column])));
            const lost = [...load.acknowledged.values()].filter((orderId) => streams?.has(orderId) !== true);
            assert.equal(lost, [], 'answered with 200, and lost');
            const ghosts = published().filter(({ id }) => ids?.has(id ?? '') !== true);
            assert.equal(ghosts, [], 'published, and lost');
          } finally {
            await load.stop();
            await host.stop();
          }
        }),
      ),
    durableSettings,
  ));

const listOf = (pair: PostgresPair): string => {
  const [primary, standby] = [new URL(pair.url), new URL(pair.standbyUrl)];
  return pair.url.replace(primary.host, `${primary.host},${standby.host}`);
};

async function replicationOf(url: string) {
  const { checks } = await probe(url, '/health');
  const check = checks.find(({ name }) => name === 'svc_replication');
  assert.ok(check);
  return check;
}
