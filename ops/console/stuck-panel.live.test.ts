import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { type ShopConsole, withShopConsole } from '../testing/shop-console.js';

const test = suite('panel of stuck work');

/** What is written below the name of a state. */
const inState = async (page: Page, state: string): Promise<string> =>
  (await page.locator(`g[data-state="${state}"] .total`).textContent()) ?? '';

const acted = `SELECT data ->> 'action', data ->> 'reason', data -> 'details' ->> 'entries' FROM svc_system_events
  WHERE event_type = 'OperatorActed'`;

/** Orders whose process is parked, seen in the panel. */
async function parkedOrders(
  { page, show, order, cancel, reaches, kept }: ShopConsole,
  count: number,
): Promise<readonly string[]> {
  const orders: string[] = [];
  for (let n = 0; n < count; n++) orders.push(await order());
  for (const orderId of orders) {
    await reaches(orderId, 'awaitingPayment');
    kept.add(orderId);
    await cancel(orderId);
    await reaches(orderId, 'parked');
  }
  await show();
  await until(async () => (await inState(page, 'awaitingPayment')) === `${count} · ${count} stuck`);
  await page.getByRole('link', { name: 'Stuck' }).click();
  return orders;
}

test('stuck work is shown by cause with how many share it, and all of a cause is retried with a reason', () =>
  withShopConsole(async (scene) => {
    const { page, reaches, kept, databaseUrl } = scene;
    const orders = await parkedOrders(scene, 2);
    await page.getByRole('row', { name: /stock-kept.* process\/order-fulfilment parked 2/ }).waitFor();
    const retry = page.getByRole('button', { name: 'Retry all of process/order-fulfilment' });
    await retry.click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    kept.clear();
    await retry.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Retry 2 of process/order-fulfilment?' }).waitFor();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    assert.is(await dialog.count(), 1, 'a reason is required');
    await page.getByLabel('Reason').fill('the stock is back');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(/^Nothing is stuck/).waitFor();
    for (const orderId of orders) await reaches(orderId, 'cancelled');
    assert.equal(await rowsOf(databaseUrl, acted), [['stuck retry', 'the stock is back', '2']]);
  }));

test('what has changed since all of a cause were counted is left, and named', () =>
  withShopConsole(async (scene) => {
    const { page, reaches, kept, databaseUrl } = scene;
    const [first = '', second = ''] = await parkedOrders(scene, 2);
    const of = `FROM svc_stuck WHERE key = '${first}'`;
    const [[id = ''] = []] = await rowsOf(databaseUrl, `SELECT id ${of}`);
    await page.getByRole('button', { name: 'Retry all of process/order-fulfilment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Retry 2 of process/order-fulfilment?' }).waitFor();
    await rowsOf(databaseUrl, `UPDATE svc_stuck_work SET position = position + 1 WHERE key = '${first}'`);
    kept.clear();
    await page.getByLabel('Reason').fill('the stock is back');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    const left = page.getByRole('region', { name: 'Left' });
    await left.getByText('1 that have changed since they were counted').waitFor();
    assert.equal(await left.getByRole('listitem').allTextContents(), [id]);
    await reaches(second, 'cancelled');
  }));

test('one entry of a cause is shown with its event, and skipped with a reason', () =>
  withShopConsole(async (scene) => {
    const { page, reaches, databaseUrl } = scene;
    const [orderId = ''] = await parkedOrders(scene, 1);
    await page.getByRole('link', { name: /stock-kept/ }).click();
    const entries = page.getByRole('region', { name: 'Entries' });
    await entries.getByRole('row', { name: new RegExp(`^${orderId} OrderCancelled parked`) }).waitFor();
    await entries.getByRole('button', { name: `Skip ${orderId}` }).click();
    await page.getByLabel('Reason').fill('the goods are gone');
    await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click();
    await entries.waitFor({ state: 'detached' });
    await reaches(orderId, 'awaitingPayment');
    assert.equal(await rowsOf(databaseUrl, acted), [['stuck skip', 'the goods are gone', 'null']]);
  }));
