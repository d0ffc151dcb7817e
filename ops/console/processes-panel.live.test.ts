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

const onEdge = async (page: Page, event: string): Promise<string> =>
  (await page.locator(`g[data-edge*=" ${event} "]`).first().getAttribute('data-count')) ?? '';

test('the chart shows how many instances are in each state, and how often each edge was taken, as it happens', () =>
  withShopConsole(async ({ page, show, order, pay, reaches, soldOut }) => {
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
  }));

test('instances are found by state, status and the beginning of their key', () =>
  withShopConsole(async ({ page, show, order, pay, reaches }) => {
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
  withShopConsole(async ({ page, show, order, reaches, host, errors }) => {
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

test('a parked instance is retried from its own page', () =>
  withShopConsole(async ({ page, show, order, cancel, reaches, kept }) => {
    const orderId = await order();
    await reaches(orderId, 'awaitingPayment');
    kept.add(orderId);
    await cancel(orderId);
    await reaches(orderId, 'parked');
    kept.delete(orderId);
    await show(`order-fulfilment/${orderId}`);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.locator('g.state.here[data-state="cancelled"]').waitFor();
  }));

test('a timer is run now or cancelled', () =>
  withShopConsole(async ({ page, show, order, reaches }) => {
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
