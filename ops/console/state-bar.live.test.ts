import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, keyed, post, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { anOrder, createOrder } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';
import { healthy } from '../testing/state-bar.js';

const test = suite('state bar of the console');

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
        await page.getByText('Path through the lifecycle').click();
        await page.locator('.entry.passed').waitFor();
        assert.match(page.url(), `q=${correlationId}`);
        assert.equal(await accessibilityFaults(page), []);
        assert.equal(errors, []);
      }),
    ),
  ));
