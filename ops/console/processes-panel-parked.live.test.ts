import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { withShopConsole } from '../testing/shop-console.js';

const test = suite('panel of processes');

/** What is written below the name of a state. */
const inState = async (page: Page, state: string): Promise<string> =>
  (await page.locator(`g[data-state="${state}"] .total`).textContent()) ?? '';

test('a parked key is shown with its error, and released with a reason', () =>
  withShopConsole(async ({ page, show, order, cancel, reaches, kept, databaseUrl }) => {
    const orderId = await order();
    await reaches(orderId, 'awaitingPayment');
    kept.add(orderId);
    await cancel(orderId);
    await reaches(orderId, 'parked');
    await show();
    const keys = page.getByRole('region', { name: 'Set-aside keys' });
    await keys.getByRole('row', { name: /parked OrderCancelled .*stock-kept/ }).waitFor();
    assert.is(await inState(page, 'awaitingPayment'), '1 · 1 aside');
    await keys.getByRole('button', { name: `Release ${orderId}` }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    kept.delete(orderId);
    await keys.getByRole('button', { name: `Release ${orderId}` }).click();
    await page.getByLabel('Reason').fill('the stock is back');
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await keys.waitFor({ state: 'detached' });
    await reaches(orderId, 'cancelled');
    const acted = `SELECT data ->> 'action', data ->> 'target', data ->> 'reason' FROM svc_system_events WHERE event_type = 'OperatorActed'`;
    assert.equal(await rowsOf(databaseUrl, acted), [
      ['reactions release', `order-fulfilment ${orderId}`, 'the stock is back'],
    ]);
  }));

test('without its database the panel says so, and that what it shows was read before', () =>
  withShopConsole(async ({ page, show, order, reaches, database, errors }) => {
    await reaches(await order(), 'awaitingPayment');
    await show();
    await until(async () => (await inState(page, 'awaitingPayment')) === '1');
    await database.cut();
    const old = page.getByText(/What is shown was read before/);
    await old.waitFor();
    assert.is(await inState(page, 'awaitingPayment'), '1');
    await database.restore();
    await old.waitFor({ state: 'detached' });
    const others = errors.splice(0).filter((text) => !text.includes('503 (Service Unavailable)'));
    assert.equal(others, []);
  }));
test('one event of a parked key is given up, with a reason', () =>
  withShopConsole(async ({ page, show, order, cancel, reaches, kept, databaseUrl }) => {
    const orderId = await order();
    await reaches(orderId, 'awaitingPayment');
    kept.add(orderId);
    await cancel(orderId);
    await reaches(orderId, 'parked');
    await show();
    const keys = page.getByRole('region', { name: 'Set-aside keys' });
    await keys.getByRole('button', { name: `Skip ${orderId}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: /^Skip OrderCancelled of / }).waitFor();
    await dialog.getByRole('button', { name: 'Skip' }).click();
    assert.is(await dialog.count(), 1, 'a reason is required');
    await page.getByLabel('Reason').fill('the goods are gone');
    await dialog.getByRole('button', { name: 'Skip' }).click();
    await keys.waitFor({ state: 'detached' });
    await reaches(orderId, 'awaitingPayment');
    const acted = `SELECT data ->> 'action', data ->> 'reason' FROM svc_system_events WHERE event_type = 'OperatorActed'`;
    assert.equal(await rowsOf(databaseUrl, acted), [['reactions skip', 'the goods are gone']]);
  }));

test('a reaction that throws is named in the bar, with its reason', () =>
  withShopConsole(async ({ page, show, order, unprintable }) => {
    const orderId = newUuid();
    unprintable.add(orderId);
    await order(orderId);
    await show();
    const claim = new RegExp(`remind-of-payment has failed \\d+ times at ${orderId}: \\S+`);
    await page.locator('.state-bar[data-level="warn"]', { hasText: claim }).waitFor();
    await page.locator('.state-bar a').click();
    await page.getByRole('region', { name: 'Set-aside keys' }).waitFor();
  }));
