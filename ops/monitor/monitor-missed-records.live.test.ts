import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { withBroadcastingHost } from '../testing/broadcasting-host.js';
import { type SpawnedHost } from '../testing/spawned-host.js';
import { withMonitored, hasAll, linesOf, read } from '../testing/monitored-hosts.js';

const test = suite('svc monitor');

test('a monitor that starts later and restarts receives what it missed, each record once', () =>
  withMonitored(async ({ nats, store, monitor }) =>
    withBroadcastingHost('north', nats, async (north) => {
      for (let n = 0; n < 5; n++) await north.order();
      const printed: number[] = [];
      const note = (watching: SpawnedHost) =>
        printed.push(...linesOf(watching).map(({ position }) => position));
      await monitor(async (watching) => {
        await hasAll(store, 'north', north);
        assert.is((await watching.kill('SIGTERM')).code, 0);
        note(watching);
      });
      for (let n = 0; n < 5; n++) await north.order();
      await monitor(async (watching) => {
        await hasAll(store, 'north', north);
        const sent = await north.broadcast();
        await until(() => linesOf(watching).length >= sent.length - printed.length);
        note(watching);
        assert.equal(
          printed,
          sent.map((_, index) => index + 1),
          'and prints each once',
        );
        const hosts = (await read<{ hosts: { name: string }[] }>(watching, 'overview')).hosts;
        assert.equal(
          hosts.map(({ name }) => name),
          ['north'],
        );
      });
    }),
  ));
