import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { withBroadcastingHost } from '../testing/broadcasting-host.js';
import { withMonitored, hasAll, linesOf, read } from '../testing/monitored-hosts.js';

const test = suite('svc monitor');

test('filters select what is shown, and everything is stored', () =>
  withMonitored(async ({ nats, store, monitor }) =>
    withBroadcastingHost('north', nats, (north) =>
      monitor(
        async (watching) => {
          await north.order({ 'x-correlation-id': 'monday' });
          await north.order({ 'x-correlation-id': 'tuesday' });
          await north.order({ 'x-correlation-id': 'monday' });
          await hasAll(store, 'north', north);
          await until(() => linesOf(watching).length >= 2);
          assert.equal(
            linesOf(watching).map(({ eventType, data }) => [eventType, data['correlationId']]),
            [
              ['CommandAudited', 'monday'],
              ['CommandAudited', 'monday'],
            ],
          );
          const found = await read<{ records: unknown[] }>(watching, 'system?correlation=tuesday');
          assert.is(found.records.length, 2);
        },
        '--type',
        'CommandAudited',
        '--correlation',
        'monday',
      ),
    ),
  ));

test('hosts report their health, and when they stop', () =>
  withMonitored(async ({ nats, monitor }) =>
    monitor(async (watching) => {
      const overview = async () =>
        (await read<{ hosts: { name: string; state: string; status?: string }[] }>(watching, 'overview'))
          .hosts;
      await withBroadcastingHost('north', nats, async () => {
        await until(async () => (await overview()).some(({ status }) => status === 'Healthy'), 30_000);
        await until(async () => {
          const { stores } = await read<{ stores: { trust: string; key?: string }[] }>(watching, 'overview');
          return stores.some(({ trust, key }) => trust === 'pinned' && key !== undefined);
        });
        const { checks } = await read<{ checks: { name: string }[] }>(watching, 'health?host=north');
        assert.ok(checks.some(({ name }) => name === 'svc_relational_db'));
      });
      await until(async () => (await overview()).some(({ state }) => state === 'stopped'));
    }),
  ));
