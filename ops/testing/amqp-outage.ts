import * as assert from 'uvu/assert';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { createOrder } from './order-load.js';
import { checksWithStatus, probe, promisedMs, untilReady, withHost } from './probed-host.js';

interface AmqpBroker {
  readonly url: string;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

/** Expects that the host reports the outage of its broker and the end of it, and serves commands meanwhile. */
export const reportsAmqpOutage = (broker: AmqpBroker): Promise<void> =>
  withStore((url) =>
    withHost(
      url,
      async (host) => {
        assert.ok(checksWithStatus(await probe(host.url), 'Healthy').includes('amqp_broker'));
        await broker.stop();
        const redMs = await untilReady(host.url, ({ code }) => code === 503);
        // While it dies, or the machine is busy, it may only be silent.
        await untilPasses(async () => {
          const red = await probe(host.url);
          assert.equal(checksWithStatus(red, 'Unhealthy'), ['amqp_broker']);
          const { detail } = red.checks.find(({ name }) => name === 'amqp_broker') ?? {};
          assert.match(detail ?? '', /^The AMQP broker at 127\.0\.0\.1:\d+ cannot be reached \(\w+\)\.$/);
        });
        assert.is((await createOrder(host.url)).status, 200);
        await broker.start();
        const greenMs = await untilReady(host.url, ({ code }) => code === 200);
        assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
        assert.ok(greenMs < promisedMs, `green after ${greenMs} ms`);
      },
      { AMQP_URL: broker.url },
    ),
  );
