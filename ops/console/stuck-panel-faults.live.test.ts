import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { withShopConsole } from '../testing/shop-console.js';

const test = suite('faults that the panel of stuck work meets');

/** What is written below the name of a state. */
const inState = async (page: Page, state: string): Promise<string> =>
  (await page.locator(`g[data-state="${state}"] .total`).textContent()) ?? '';

test('without its database the panel says so, and that what it shows was read before, or could not be read', () =>
  withShopConsole(async ({ page, show, order, reaches, database, errors }) => {
    await reaches(await order(), 'awaitingPayment');
    await show();
    await until(async () => (await inState(page, 'awaitingPayment')) === '1');
    await database.cut();
    const old = page.getByText(/What is shown was read before/);
    await old.waitFor();
    assert.is(await inState(page, 'awaitingPayment'), '1');
    await page.getByRole('link', { name: 'Stuck' }).click();
    const unread = page.getByText('It could not be read.');
    await unread.waitFor();
    assert.is(await page.getByText('Loading …').count(), 0);
    await database.restore();
    await unread.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Processes' }).click();
    await page.locator('g[data-state="awaitingPayment"]').first().waitFor();
    await old.waitFor({ state: 'detached' });
    const others = errors.splice(0).filter((text) => !text.includes('503 (Service Unavailable)'));
    assert.equal(others, []);
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
    await page.getByRole('row', { name: /reaction\/remind-of-payment retrying 1/ }).waitFor();
  }));
