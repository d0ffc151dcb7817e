import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { accessibilityFaults } from '../testing/browser.js';
import { sharedConsole } from '../testing/bakery-console.js';

const test = suite('console');

const inConsole = sharedConsole(test);

const stateOf = (page: Page, state: string, count: number) =>
  page.locator(`.statechart [data-state="${state}"][data-count="${count}"]`);

test('the statechart is the machine itself, with live counts', () =>
  inConsole(async ({ page, bake }) => {
    await page.locator('.statechart').waitFor();
    assert.is(await page.locator('.statechart [data-state]').count(), 10);
    assert.is(await page.locator('.statechart [data-edge]').count(), 18);
    for (const customer of ['Ada', 'Grace', 'Alan']) await bake(customer);
    await bake('Barbara', 'dispatching');
    await stateOf(page, 'completed', 3).waitFor();
    await stateOf(page, 'failed', 1).waitFor();
    await page.locator('[data-edge="after succeeded completed"][data-count="3"]').waitFor();
    assert.match(await stateOf(page, 'dispatching', 4).innerHTML(), /p50 .* · p99 /);
    await page.getByRole('button', { name: 'As table' }).click();
    assert.ok((await page.getByRole('row', { name: /^recovering → failed on rethrown 1/ }).count()) > 0);
  }));

test('a request shows its facts and what it stored first, then its body, and its path folded', () =>
  inConsole(async ({ page, bake }) => {
    await bake('Ada');
    await bake('Grace', 'rescued');
    await page.locator('.requests a[data-outcome="completed"]').first().click();
    await page.getByRole('region', { name: 'Events' }).getByText('BreadBaked').waitFor();
    const audit = page.getByRole('region', { name: 'Audit' });
    await audit.getByText('CommandAudited').waitFor();
    await audit.getByText('EventAudited').waitFor();
    await page.getByRole('region', { name: 'Body' }).getByText('"customer": "').waitFor();
    const titles = await page.locator('.detail h2').allTextContents();
    assert.equal(titles, ['Request', 'Events', 'Audit', 'Body', 'Path through the lifecycle']);
    assert.is(await page.locator('.detail .statechart').count(), 0);
    await page.getByText('Path through the lifecycle').click();
    await page.locator('.detail .statechart .state.passed[data-state=completed]').waitFor();
    const steps = (await page.locator('.steps').textContent()) ?? '';
    for (const name of ['checking', 'BakeBun handler', 'store', 'commit', 'completed'])
      assert.match(steps, name);
    await page.locator('#search').fill('recovered');
    await page.locator('.requests li:only-child a[data-outcome="recovered"]').click();
    await page.getByText('rescued-mishap').first().waitFor();
    await page.getByText('Path through the lifecycle').click();
  }));

test('a search that finds no request continues in the system stream', () =>
  inConsole(async ({ page, bake }) => {
    await bake('Ada');
    await page.locator('#search').fill('CommandAudited');
    await page.getByText('No requests match.').waitFor();
    await page.getByRole('link', { name: 'search the system stream' }).click();
    await page.getByRole('cell', { name: 'CommandAudited' }).first().waitFor();
    assert.match(page.url(), /#\/system\?type=CommandAudited$/);
  }));

test('failures are grouped by code, and a group opens its requests', () =>
  inConsole(async ({ page, bake }) => {
    for (const customer of ['Ada', 'Grace']) await bake(customer, 'before');
    const failures = page.getByRole('region', { name: 'Failures' });
    await failures.getByRole('row', { name: /^409 before-mishap \d+ BakeBun/ }).waitFor();
    await failures.getByRole('link', { name: 'before-mishap' }).click();
    await page.locator('.requests .shown', { hasText: 'found among' }).waitFor();
    assert.match(page.url(), /q=status%3A409.*mishap$/);
  }));

test('everything can be reached with the keyboard', () =>
  inConsole(async ({ page, bake }) => {
    await bake('Ada');
    await bake('Grace', 'before');
    await page.locator('.requests li:nth-child(2)').waitFor();
    await page.locator('.requests li:first-child', { hasText: 'before-mishap' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('bake');
    assert.is(await page.locator('#search').inputValue(), 'bake');
    await page.keyboard.press('Escape');
    // The end of a search may replace the row that has the focus.
    await until(async () => {
      await page.locator('.requests a').first().focus();
      await page.keyboard.press('ArrowDown');
      return page.locator('.requests li:nth-child(2) a[aria-current]').isVisible();
    });
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Lifecycle' }).waitFor();
    for (const [key, title] of [
      ['2', 'Streams'],
      ['4', 'Health'],
      ['1', 'Requests'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`nav a[aria-current="page"]`, { hasText: title }).waitFor();
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('these keys').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await palette.waitFor();
    await page.keyboard.type('reaction');
    assert.equal(await accessibilityFaults(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Reactions' }).waitFor();
    await palette.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Go to/ }).click();
    await palette.waitFor();
    await page.keyboard.type('breads');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Rows of breads' }).waitFor();
  }));
