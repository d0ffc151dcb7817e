import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, keyed, post, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import { until } from '../../runtime/testing/until.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { anOrder, createOrder } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';
import { pids, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('state bar of the console');

/** Longer than any fault takes to show on a loaded machine. */
const patienceMs = 120_000;

const bar = (page: Page, level: string, text: string | RegExp) =>
  page.locator(`.state-bar[data-level="${level}"]`, { hasText: text }).waitFor({ timeout: patienceMs });

const healthy = (page: Page) => bar(page, 'good', /All \d+ checks are healthy/);

test('each fault of one host is the sentence on top of its page, and goes with the fault', () =>
  withNatsServer((nats) =>
    withStore((databaseUrl) =>
      withProxy(databaseUrl, (database) =>
        withOrders({ DATABASE_URL: database.url, NATS_URL: nats.url, SVC_INSPECT: '1' }, (host) =>
          withBrowser(async ({ page }) => {
            await page.goto(`${host.url}/console`);
            await healthy(page);
            await nats.stop();
            await bar(page, 'bad', 'The message broker is not available');
            await nats.start();
            await healthy(page);
            database.silence();
            await bar(page, 'bad', 'The database is not available');
            const asked = createOrder(host.url).catch(() => undefined);
            await page.locator('.requests a[data-outcome="running"]').first().waitFor();
            assert.equal(await accessibilityFaults(page), []);
            database.resume();
            await asked;
            await healthy(page);
            await database.cut();
            await bar(page, 'bad', 'The database is not available');
            await database.restore();
            await healthy(page);
            process.kill(host.pid, 'SIGSTOP');
            await bar(page, 'lost', 'nothing below is current');
            process.kill(host.pid, 'SIGCONT');
            await healthy(page);
            await page.goto(`${host.url}/console#/health`);
            await page.getByRole('heading', { name: 'svc_relational_db' }).waitFor();
            await host.kill('SIGKILL');
            await bar(page, 'lost', 'The connection to the host is lost');
            await page.locator('html[data-stale="true"]').waitFor();
            const ages = () => page.locator('.check .since').allTextContents();
            const before = await ages();
            await page.waitForTimeout(2_500);
            assert.equal(await ages(), before, 'nothing grows older on a page without a host');
            assert.equal(await accessibilityFaults(page), []);
          }),
        ),
      ),
    ),
  ));

/** Three interactions: a key, the id pasted, and a click on the only request that has it. */
async function leadsToCause(page: Page, correlationId: string): Promise<void> {
  await page.evaluate(countInteractions);
  await page.keyboard.press('/');
  await page.keyboard.insertText(correlationId);
  await page.locator('.requests li:only-child a').click();
  await page.getByRole('region', { name: 'Failure' }).waitFor();
  assert.equal(await page.evaluate('interactions'), ['keydown', 'input', 'pointerdown']);
}

const countInteractions = `window.interactions = [];
for (const type of ['keydown', 'input', 'pointerdown', 'wheel'])
  addEventListener(type, (event) => { if (event.isTrusted) interactions.push(type); }, true);`;

const hostile = '/%3Cimg%20src=x%20onerror=alert(1)%3E';

test('rejected requests are counted and listed, and the id of an error leads to its cause', () =>
  withStore((databaseUrl) =>
    withOrders({ DATABASE_URL: databaseUrl, SVC_INSPECT: '1' }, ({ url }) =>
      withBrowser(async ({ page, errors }) => {
        await page.goto(`${url}/console`);
        await healthy(page);
        const refused = async (body: unknown) =>
          jsonOf(await post(url, body, { path: '/orders' })) as { readonly correlationId: string };
        for (let n = 0; n < 30; n++) await refused({ customerId: 'nobody' });
        const { correlationId } = await refused({ customerId: 7 });
        await page.locator('[data-entry="rejected"][data-count="31"]').waitFor();
        await send(url, { method: 'POST', path: hostile, body: '{}' });
        await page.locator('.requests a', { hasText: `POST ${hostile}` }).waitFor();
        await post(url, { query: '{ nothing }' }, { path: '/graphql' });
        await page.locator('.requests a', { hasText: 'POST /graphql' }).waitFor();
        assert.is((await createOrder(url, 'once')).status, 200);
        await createOrder(url, 'once');
        await page.locator('.requests a[data-outcome="replayed"]').waitFor();
        const other = { ...anOrder, customerId: '018f0000-0000-7000-8000-000000000002' };
        await post(url, other, { path: '/orders', ...keyed('once') });
        await page.locator('.requests a', { hasText: '422 idempotency-key-reused' }).waitFor();
        await leadsToCause(page, correlationId);
        const card = page.getByRole('region', { name: 'Failure' });
        await card.getByText('422').waitFor();
        await card.getByText('invalid-command').waitFor();
        await card.getByText('/customerId').waitFor();
        await page.locator('.entry.passed').waitFor();
        assert.match(page.url(), `q=${correlationId}`);
        assert.equal(await accessibilityFaults(page), []);
        assert.equal(errors, []);
      }),
    ),
  ));

test('one of two hosts that does not respond is named', () =>
  withStore((databaseUrl) =>
    withSupervisor({ env: { DATABASE_URL: databaseUrl, SVC_INSPECT: '1' } }, (supervisor) =>
      withBrowser(async ({ page }) => {
        await page.goto(`${supervisor.url}/console`);
        await healthy(page);
        const isNamed = async (): Promise<boolean> => {
          for (const pid of pids(await supervisor.status())) {
            process.kill(pid ?? 0, 'SIGSTOP');
            await page.locator('.state-bar.bad, .state-bar.lost').waitFor({ timeout: patienceMs });
            const text = (await page.locator('.state-bar').textContent()) ?? '';
            process.kill(pid ?? 0, 'SIGCONT');
            // The page itself may come from the host that was stopped.
            if (/^1 of 2 hosts is not responding: north-[12]\./.test(text)) return true;
            await healthy(page);
          }
          return false;
        };
        await until(isNamed);
        await healthy(page);
      }),
    ),
  ));
