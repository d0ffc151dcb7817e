import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Authenticate } from '../../contracts/identity.js';
import { suite } from '../../contracts/testing/suite.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { loadService } from '../load-service.js';
import { readConfig } from '../config.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { type Host, startHost } from './host.js';

const test = suite('pages of a host');

const orders = fileURLToPath(new URL('../../examples/orders', import.meta.url));

const withHost = (
  body: (host: Host) => Promise<void>,
  more: Partial<ServiceDefinition> = {},
): Promise<void> =>
  withStore(async (databaseUrl) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl, SVC_LOG: 'error' });
    const host = await startHost({ ...(await loadService(orders)), ...more }, config);
    try {
      await body(host);
    } finally {
      await host.stop();
    }
  });

const shared = sharedIn<Host>(test, withHost);

/** Opens a page of the orders example and expects no error and no request to another server. */
const withPage = (path: string, body: (page: Page) => Promise<void>, provide = shared): Promise<void> =>
  provide((host) =>
    withBrowser(async ({ page, errors, asked }) => {
      await page.goto(host.url + path);
      await body(page);
      assert.equal(errors, []);
      assert.equal(
        asked.filter((url) => !url.startsWith(host.url) && !url.startsWith('data:')),
        [],
      );
      assert.equal(await accessibilityFaults(page), []);
    }),
  );

test('/docs opens with the first command, sends what is typed, and leads to the landing page and back', () =>
  withPage('/docs', async (page) => {
    await page.locator('.route', { hasText: /^POST \/customers / }).waitFor();
    assert.match((await page.locator('#operations a').first().textContent()) ?? '', /^Register customer/);
    await page.locator('#operations a', { hasText: /^Create order/ }).click();
    await page.locator('.route', { hasText: /^POST \/orders / }).waitFor();
    await page.getByRole('heading', { name: 'Body' }).waitFor();
    await page.locator('dt', { hasText: 'customerId' }).first().waitFor();
    await page.getByText('422', { exact: true }).click();
    await page.locator('details[open] dt', { hasText: 'detail' }).first().waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    assert.match((await page.getByLabel('curl').textContent()) ?? '', /Idempotency-Key: [0-9a-f]{24}'/);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('output', { hasText: '"status": "created"' }).waitFor();
    await page.getByLabel('Filter operations').fill('ship');
    assert.is(await page.locator('#operations a').count(), 1);
    await page.getByRole('link', { name: 'All pages' }).click();
    await page.getByRole('heading', { name: 'orders', exact: true }).waitFor();
    for (const name of [
      'Console',
      'API',
      'GraphQL',
      'Inspector',
      'Machines',
      'Health',
      'Metrics',
      'asyncapi.json',
    ])
      await page.getByRole('link', { name: new RegExp(`^${name}`) }).waitFor();
    assert.equal(await accessibilityFaults(page), []);
    await page.getByRole('link', { name: 'ShipOrder' }).click();
    await page.locator('.route', { hasText: '/orders/ship' }).waitFor();
  }));

test('/docs reads rows by the parameters of their address, sends no body, and shows the start of a stream', () =>
  withPage('/docs', async (page) => {
    const curl = page.getByLabel('curl', { exact: true });
    const answer = page.locator('output');
    await page.getByRole('link', { name: /create/i }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await answer.filter({ hasText: '"status": "created"' }).waitFor();
    const { orderId } = JSON.parse((await answer.locator('pre').textContent()) ?? '') as { orderId: string };
    await page.getByRole('link', { name: 'Rows, page by page /orders', exact: true }).click();
    await page.locator('dt', { hasText: 'pageSize' }).first().waitFor();
    assert.is(await page.getByLabel('Body').count(), 0);
    assert.is(await page.getByLabel('Idempotency-Key').count(), 0);
    await page.getByLabel('filter[status]').fill('cancelled');
    assert.match(
      (await curl.textContent()) ?? '',
      /^curl -X GET '[^']*\/orders\?filter%5Bstatus%5D=cancelled'$/,
    );
    await page.getByRole('button', { name: 'Send' }).click();
    await answer.filter({ hasText: '"totalCount": 0' }).waitFor();
    await page.getByRole('link', { name: 'One row /orders/{id}', exact: true }).click();
    await page.getByLabel('id', { exact: true }).fill(orderId);
    await page.getByLabel('id', { exact: true }).press('Enter');
    await answer.filter({ hasText: `"orderId": "${orderId}"` }).waitFor();
    await page.getByRole('link', { name: 'Rows as they change /orders/live', exact: true }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await answer.filter({ hasText: 'event: ready' }).waitFor();
  }));

test('/docs names the permission of an operation, and sends the credential that is typed', () => {
  const authenticate: Authenticate = ({ headers, url }) => {
    if (url.startsWith('/docs') || url === '/openapi.json')
      return { source: 'test', permissions: ['svc:observe'] };
    return headers['authorization'] === 'Bearer clerk'
      ? { source: 'test', permissions: ['orders:read'] }
      : null;
  };
  return withPage(
    '/docs',
    async (page) => {
      await page.getByRole('link', { name: 'Rows, page by page /orders', exact: true }).click();
      await page.getByText('needs orders:read', { exact: true }).waitFor();
      await page.getByLabel('Token or API key').fill('clerk');
      const curl = page.getByLabel('curl', { exact: true });
      assert.match((await curl.textContent()) ?? '', "-H 'Authorization: Bearer …'");
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('output', { hasText: '"totalCount": 0' }).waitFor();
      await page.getByRole('link', { name: 'One row /orders/{id}', exact: true }).click();
      assert.is(await page.getByLabel('Token or API key').inputValue(), 'clerk');
    },
    (use) => withHost(use, { authenticate }),
  );
});

test('/graphql shows the schema, writes a whole mutation and runs it', () =>
  withPage('/graphql', async (page) => {
    await page.getByRole('button', { name: 'createOrder' }).click();
    assert.match(await page.getByLabel('Document').inputValue(), 'mutation CreateOrder($command:');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('#answer', { hasText: '"status": "created"' }).waitFor();
    assert.match((await page.locator('#status').textContent()) ?? '', /^200 in \d+ ms$/);
    await page.locator('#types summary', { hasText: 'CreateOrderInput' }).click();
    await page.locator('#types code', { hasText: 'customerId: Uuid!' }).first().waitFor();
    await page.reload();
    assert.match(await page.getByLabel('Document').inputValue(), 'mutation CreateOrder');
    assert.is(await page.getByRole('link', { name: 'All pages' }).getAttribute('href'), './');
    // A browser that blocks its storage.
    await page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError'); } })`,
    );
    await page.reload();
    await page.getByRole('button', { name: 'createOrder' }).click();
    assert.match(await page.getByLabel('Document').inputValue(), 'mutation CreateOrder');
  }));

test('/graphql lists subscriptions, shows each result as it comes, and stops when asked', () =>
  withPage('/graphql', async (page) => {
    const status = page.locator('#status');
    const answer = page.locator('#answer');
    const create = page.getByRole('button', { name: 'createOrder' });
    await create.click();
    const order = { query: await page.getByLabel('Document').inputValue(), variables: '' };
    order.variables = await page.getByLabel('Variables, as JSON').inputValue();
    await page.locator('#subscriptions').getByRole('button', { name: 'orders', exact: true }).click();
    assert.match(
      await page.getByLabel('Document').inputValue(),
      /^subscription Orders \{\n {2}orders \{\n {4}type/,
    );
    assert.is(await page.getByLabel('Variables, as JSON').inputValue(), '');
    await page.getByRole('button', { name: 'Run' }).click();
    await answer.filter({ hasText: '"type": "ready"' }).waitFor();
    await page.evaluate(
      ({ query, variables }) =>
        fetch('graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables: JSON.parse(variables) as unknown }),
        }),
      order,
    );
    await answer.filter({ hasText: '"status": "created"' }).waitFor();
    assert.is(await status.textContent(), '2 results, following');
    await page.getByRole('button', { name: 'Stop' }).click();
    await status.filter({ hasText: '2 results, stopped' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Document').fill('subscription { nothing }');
    await page.getByRole('button', { name: 'Run' }).click();
    await status.filter({ hasText: '1 result, complete' }).waitFor();
    await answer.filter({ hasText: '"errors"' }).waitFor();
  }));
