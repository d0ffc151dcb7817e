import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { anOrder } from '../testing/order-load.js';
import { withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('console of two hosts');

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** The requests of one trace, one below the other, each with the host that handled it. */
async function seesTraceOfBoth(page: Page): Promise<void> {
  await page.locator('.requests li', { hasText: 'north-2' }).first().click();
  await page.getByRole('region', { name: 'Events' }).getByText('OrderCreated').waitFor();
  const trace = page.getByRole('region', { name: 'Trace' });
  await trace.getByText(/^\d+ requests in /).waitFor();
  for (const host of ['north-1', 'north-2'])
    await trace.locator('li', { hasText: host }).locator('rect').first().waitFor();
  assert.is(await trace.locator('li[aria-current]').count(), 1);
  const offsets = await trace
    .locator('li svg rect:first-child')
    .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('x'))));
  assert.equal(
    offsets,
    offsets.toSorted((one, other) => one - other),
    'in the order of their begin',
  );
  await trace.locator('li', { hasText: 'north-1' }).getByRole('link').first().click();
  await trace.locator('li[aria-current]', { hasText: 'north-1' }).waitFor();
}

test('hosts of a supervisor are shown as one, each request with its host, until one is selected', () =>
  withStore((databaseUrl) =>
    withSupervisor({ env: { DATABASE_URL: databaseUrl, SVC_INSPECT: '1' } }, ({ url }) =>
      withBrowser(async ({ page, errors }) => {
        await page.goto(`${url}/console`);
        const choice = page.getByLabel('Host', { exact: true });
        await choice.getByRole('option', { name: 'all hosts' }).waitFor({ state: 'attached' });
        assert.equal(await choice.getByRole('option').allTextContents(), ['all hosts', 'north-1', 'north-2']);
        const taken = (host: string) => page.locator('.requests li', { hasText: host }).count();
        await until(async () => {
          await post(url, anOrder, { path: '/orders', headers: { traceparent } });
          return (await taken('north-1')) > 0 && (await taken('north-2')) > 0;
        });
        await seesTraceOfBoth(page);
        assert.equal(await accessibilityFaults(page), []);
        await page.getByRole('link', { name: 'Host', exact: true }).click();
        await page.getByRole('link', { name: 'Machines' }).click();
        await page.getByRole('link', { name: 'supervisor', exact: true }).click();
        await page.locator('.hint', { hasText: 'supervising: north-1, north-2' }).waitFor();
        await page.getByRole('link', { name: 'Actors' }).click();
        await page.getByRole('row', { name: /^north-2 running/ }).waitFor();
        await choice.selectOption('north-1');
        await page.getByRole('row', { name: /^http running/ }).waitFor();
        assert.is(await page.getByRole('row', { name: /^north-2/ }).count(), 0);
        await choice.selectOption('all hosts');
        await page.getByRole('row', { name: /^north-2 running/ }).waitFor();
        assert.equal(await accessibilityFaults(page), []);
        assert.equal(errors, []);
      }),
    ),
  ));
