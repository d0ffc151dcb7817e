import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { openRaw, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { answersAfterFreeze, untilDraining } from '../testing/host-faults.js';
import { startLoad } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('host process');

test('for a second after SIGTERM new connections are accepted and readiness fails', () =>
  withStore((url) => {
    const answers = new Set<number>();
    const probing = () =>
      withOrders({ DATABASE_URL: url }, async (host) => {
        const draining = untilDraining(host);
        const from = performance.now();
        void host.kill('SIGTERM');
        await draining;
        let refusedAt: number | undefined;
        while (refusedAt === undefined) {
          const probe = await send(host.url, { method: 'HEAD', path: '/health/ready' }).catch(
            () => undefined,
          );
          if (probe === undefined) refusedAt = performance.now();
          else answers.add(probe.status);
        }
        assert.ok(refusedAt - from > 900, `refused after ${refusedAt - from} ms`);
        assert.equal(await host.ended, { code: 0, signal: null });
      });
    return until(async () => {
      await probing();
      // A busy machine may not have had a turn in that second, and seen nothing of it.
      return answers.size > 0;
    }).then(() => assert.equal([...answers], [503]));
  }));

test('a host that is frozen while it drains still answers what has arrived, and exits with 0', () =>
  answersAfterFreeze(1_000));

test('a repeated signal does not cut draining short', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      const draining = untilDraining(host);
      const load = startLoad({ url: host.url, clients: 16 });
      await load.reached(50);
      await openRaw(host.url);
      void host.kill('SIGTERM');
      await draining;
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGINT'] as const) void host.kill(signal);
      assert.equal(await host.ended, { code: 0, signal: null });
      await load.done;
      assert.equal([...load.others.keys()], ['ECONNREFUSED']);
    }),
  ));
