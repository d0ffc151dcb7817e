import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { exampleForProcess } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type SpawnedHost, withListening } from '../testing/spawned-host.js';

const test = suite('a host with a wrong clock');

/** Makes the clock of a process wrong before anything of it is loaded. */
const wrongBy = (hours: number): string => {
  const code = `const wrong = ${hours * 3_600_000};
    globalThis.Date = new Proxy(Date, {
      construct: (real, given, target) => Reflect.construct(real, given.length > 0 ? given : [real.now() + wrong], target),
      get: (real, name) => (name === 'now' ? () => real.now() + wrong : Reflect.get(real, name)),
    });`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

const order = {
  customerId: '018f0000-0000-7000-8000-00000000000a',
  lineItems: [{ productId: 'bread', quantity: 1, unitPrice: '1.10' }],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
};

/** The orders example with a schedule of every hour, half an hour from now. */
const hourly = `import orders from '${exampleForProcess('orders')}';
export default { ...orders, create: (dispatcher) => ({ ...orders.create(dispatcher), schedules: [
  { name: 'hourly-close', cron: '${(new Date().getUTCMinutes() + 30) % 60} * * * *', timeZone: 'UTC', command: () => undefined },
] }) };`;

for (const [hours, direction] of [
  [2, 'ahead'],
  [-2, 'behind'],
] as const) {
  const wrongClock = { NODE_OPTIONS: wrongBy(hours) };
  const mustBeWrong = ({ listening }: SpawnedHost) =>
    assert.is(Math.round((Date.parse(String(listening['time'])) - Date.now()) / 3_600_000), hours);

  const whileRunning = sharedIn<{ readonly host: SpawnedHost; readonly url: string }>(test, (body) =>
    withFolder((app) =>
      withStore(async (url) => {
        await writeFile(join(app, 'package.json'), '{"main":"main.mjs"}');
        await writeFile(join(app, 'main.mjs'), hourly);
        await withListening(['start', app], { DATABASE_URL: url, ...wrongClock }, (host) => {
          mustBeWrong(host);
          return body({ host, url });
        });
      }),
    ),
  );

  test(`a clock that is 2 hours ${direction} changes no timer and no process`, () =>
    whileRunning(async ({ host, url }) => {
      const rows = (text: string) => rowsOf(url, text);
      const newOrder = async () =>
        (jsonOf(await post(host.url, order, { path: '/orders' })) as { orderId: string }).orderId;
      const isIn = (orderId: string, state: string) =>
        until(async () => {
          const found = await rows(`SELECT state FROM svc_processes WHERE key = '${orderId}'`);
          return found[0]?.[0] === state;
        });
      const [first, second] = [await newOrder(), await newOrder()];
      // A host that skips the events as imports, or fires its timers too soon, never has both there.
      for (const orderId of [first, second]) await isIn(orderId, 'awaitingPayment');
      const timers = `SELECT due_at - set_at = interval '15 minutes' AND set_at <= clock_timestamp()
          AND set_at > clock_timestamp() - interval '10 minutes' FROM svc_timers WHERE kind = 'process'`;
      assert.equal(await rows(timers), [['true'], ['true']]);
      await rows(`UPDATE svc_timers SET due_at = clock_timestamp() WHERE key = '${first}'`);
      await isIn(first, 'cancelled');
      await isIn(second, 'awaitingPayment');
      assert.equal(await rows('SELECT key, error FROM svc_stuck_work'), []);
    }));

  test(`a clock that is 2 hours ${direction} changes no schedule`, () =>
    whileRunning(async ({ url }) => {
      const isNext = `SELECT due_at > clock_timestamp() AND due_at < clock_timestamp() + interval '1 hour'
        FROM svc_timers WHERE name = 'hourly-close'`;
      await until(async () => (await rowsOf(url, isNext)).length === 1);
      assert.equal(await rowsOf(url, isNext), [['true']]);
    }));
}
