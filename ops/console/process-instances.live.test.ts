import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type ShopConsole, withShopConsole } from '../testing/shop-console.js';

const test = suite('panel of processes');

/** Each test has orders of its own. */
const whileShown = sharedIn<ShopConsole>(test, withShopConsole);

test('instances are found by state, status and the beginning of their key', () =>
  whileShown(async ({ page, show, order, pay, reaches }) => {
    const [open, paid] = [await order(), await order()];
    for (const one of [open, paid]) await reaches(one, 'awaitingPayment');
    await pay(paid);
    await reaches(paid, 'paid');
    await show();
    const instance = (key: string) => page.getByRole('row', { name: new RegExp(`^${key} `) }).first();
    await instance(open).filter({ hasText: 'in 14 min' }).waitFor();
    await instance(paid).filter({ hasText: 'ended' }).waitFor();
    await page.getByRole('button', { name: /^status running/ }).click();
    await page
      .locator('tbody tr', { hasText: paid })
      .filter({ hasText: 'ended' })
      .waitFor({ state: 'detached' });
    await instance(open).waitFor();
    await page.getByRole('button', { name: /^status running/ }).click();
    await page.getByLabel('Search instances by key').fill(paid);
    await instance(paid).waitFor();
    assert.match(page.url(), `key=${paid}`);
    await page.getByLabel('Search instances by key').fill('no such key');
    await page.getByText('No instances match.').waitFor();
  }));

test('a link opens an instance: its way, its timer, its commands, events and audits, and nothing of its context', () =>
  whileShown(async ({ page, show, order, reaches, host, errors }) => {
    const orderId = await order();
    await reaches(orderId, 'awaitingPayment');
    await show(`order-fulfilment/${orderId}`);
    await page.locator('g.state.passed[data-state="reserving"]').waitFor();
    await page.locator('g.state.passed.here[data-state="awaitingPayment"]').waitFor();
    await page.locator('g.edge.way[data-edge*=" StockReserved "]').waitFor();
    await page.locator('g.state.faded[data-state="paid"]').waitFor();
    await page.getByRole('row', { name: /OrderCreated started reserving ReserveStock$/ }).waitFor();
    await page.getByRole('row', { name: /^order-fulfilment in 14 min .* process / }).waitFor();
    const audit = page.getByRole('region', { name: 'Commands and audit' });
    await audit.getByRole('row', { name: /CommandAudited ReserveStock/ }).waitFor();
    await audit.getByRole('row', { name: /EventAudited StockReserved in/ }).waitFor();
    await page
      .getByRole('region', { name: 'Events' })
      .getByRole('row', { name: /StockReserved/ })
      .waitFor();
    const answer = await page.request.get(`${host.url}/console/api/processes/order-fulfilment/${orderId}`);
    const { context, snapshot, data } = (await answer.json()) as Record<string, unknown>;
    assert.equal([context, snapshot, data], [undefined, undefined, undefined]);
    assert.not.match(await answer.text(), 'reservationId');
    await page.getByRole('link', { name: 'OrderCreated' }).first().click();
    await page.locator('main.panel-stream').waitFor();
    await show('order-fulfilment/no-such-key');
    await page.getByText('There is no instance of order-fulfilment with this key').waitFor();
    await show();
    await page.getByRole('region', { name: 'Instances' }).waitFor();
    const others = errors.splice(0).filter((text) => !text.includes('404 (Not Found)'));
    assert.equal(others, []);
  }));

test('the page of a parked instance links to what stopped it, where that is retried', () =>
  whileShown(async ({ page, show, order, cancel, reaches, kept }) => {
    const orderId = await order();
    await reaches(orderId, 'awaitingPayment');
    kept.add(orderId);
    await cancel(orderId);
    await reaches(orderId, 'parked');
    kept.delete(orderId);
    await show(`order-fulfilment/${orderId}`);
    await page.getByRole('link', { name: 'Repair' }).click();
    await page.getByRole('button', { name: `Retry ${orderId}` }).click();
    await page.getByLabel('Reason').fill('the stock is back');
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await reaches(orderId, 'cancelled');
    await show(`order-fulfilment/${orderId}`);
    await page.locator('g.state.here[data-state="cancelled"]').waitFor();
  }));

test('a timer is run now or cancelled', () =>
  whileShown(async ({ page, show, order, reaches }) => {
    const [late, calm] = [await order(), await order()];
    for (const one of [late, calm]) await reaches(one, 'awaitingPayment');
    await show();
    await page.getByRole('button', { name: `Run now order-fulfilment ${late}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await reaches(late, 'cancelled');
    await page.getByRole('button', { name: `Cancel order-fulfilment ${calm}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the timer' }).click();
    await page
      .getByRole('button', { name: `Cancel order-fulfilment ${calm}` })
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Cancel reminder ${calm}` }).waitFor();
    await page.getByRole('button', { name: 'Cancel nightly-close' }).waitFor();
  }));
