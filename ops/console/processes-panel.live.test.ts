import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { withShopConsole } from '../testing/shop-console.js';

const test = suite('panel of processes');

/** What is written below the name of a state. */
const inState = async (page: Page, state: string): Promise<string> =>
  (await page.locator(`g[data-state="${state}"] .total`).textContent()) ?? '';

const onEdge = async (page: Page, event: string): Promise<string> =>
  (await page.locator(`g[data-edge*=" ${event} "]`).first().getAttribute('data-count')) ?? '';

test('the chart shows how many instances are in each state, and how often each edge was taken, as it happens', () =>
  withShopConsole(async ({ page, host, show, order, pay, reaches, soldOut }) => {
    const [first, second, third] = [await order(), await order(), await order()];
    for (const one of [first, second, third]) await reaches(one, 'awaitingPayment');
    await show();
    await until(async () => (await inState(page, 'awaitingPayment')) === '3');
    assert.is(await onEdge(page, 'StockReserved'), '3');
    await pay(first);
    await until(async () => (await inState(page, 'paid')) === '1');
    assert.is(await inState(page, 'awaitingPayment'), '2');
    assert.is(await onEdge(page, 'PaymentReceived'), '1');
    soldOut.add('018f3a52-7c1e-7cc0-9d3a-2b1f4c5d6e7f');
    await order('018f3a52-7c1e-7cc0-9d3a-2b1f4c5d6e7f');
    await until(async () => (await onEdge(page, 'ReserveStock.refused')) === '1');
    await page.getByText(/edges: the last 50 steps of the 4 instances/).waitFor();
    await page.getByRole('button', { name: 'As table' }).click();
    await page.getByRole('row', { name: 'awaitingPayment PaymentReceived paid 1' }).waitFor();
    await page.getByRole('row', { name: 'awaitingPayment after paymentTimeout releasing 0' }).waitFor();
    await page.goto(`${host.url}/console#/machines/follower`);
    const follower = page.getByRole('region', { name: 'follower' });
    await follower
      .getByText(/running: .*order-fulfilment \(8\)/)
      .first()
      .waitFor();
    await page.goto(`${host.url}/console#/actors`);
    await page.getByRole('row', { name: /^order-fulfilment process running 8/ }).waitFor();
  }));

test('ten thousand instances are counted, the newest are listed, and the others are found by their key', () =>
  withShopConsole(async ({ page, show, databaseUrl }) => {
    await rowsOf(databaseUrl, instancesOf('order-fulfilment', 10_000, '1 hour'));
    // Newer ones of a process that the service no longer has do not take their place.
    await rowsOf(databaseUrl, instancesOf('baking', 300, '1 minute'));
    await show();
    await page.getByText('the newest 20 of 10,000').waitFor();
    await page.getByRole('button', { name: 'Show up to 200' }).click();
    await page.getByText('the newest 200 of 10,000').waitFor();
    await page.getByLabel('Search instances by key').fill('order-fulfilment-7777');
    await page.getByRole('row', { name: /^order-fulfilment-7777 / }).waitFor();
    assert.is(await inState(page, 'awaitingPayment'), '10,000');
    await page.getByRole('link', { name: 'baking', exact: true }).click();
    await page.getByText('This host does not have this process').waitFor();
    await page.getByText('the newest 200 of 300').waitFor();
  }));

const instancesOf = (name: string, many: number, age: string): string => `
  INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, started_at, updated_at)
  SELECT '${name}', '${name}-' || n, 1, 1, 'awaitingPayment', 'running', '{}', '[]', at, at
  FROM generate_series(1, ${many}) n, LATERAL (SELECT now() - interval '${age}' AS at) t`;
