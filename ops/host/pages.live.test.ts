import * as assert from 'uvu/assert';
import type { Authenticate } from '../../contracts/identity.js';
import { suite } from '../../contracts/testing/suite.js';
import { accessibilityFaults } from '../testing/browser.js';
import { openPage, sharedPages, withOrdersHost } from '../testing/host-pages.js';

const test = suite('pages of a host');

const withPage = sharedPages(test);

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
  return withOrdersHost(
    (host) =>
      openPage(host, '/docs', async (page) => {
        await page.getByRole('link', { name: 'Rows, page by page /orders', exact: true }).click();
        await page.getByText('needs orders:read', { exact: true }).waitFor();
        await page.getByLabel('Token or API key').fill('clerk');
        const curl = page.getByLabel('curl', { exact: true });
        assert.match((await curl.textContent()) ?? '', "-H 'Authorization: Bearer …'");
        await page.getByRole('button', { name: 'Send' }).click();
        await page.locator('output', { hasText: '"totalCount": 0' }).waitFor();
        await page.getByRole('link', { name: 'One row /orders/{id}', exact: true }).click();
        assert.is(await page.getByLabel('Token or API key').inputValue(), 'clerk');
      }),
    { authenticate },
  );
});
