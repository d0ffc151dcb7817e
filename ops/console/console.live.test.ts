import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startHost } from '../host/host.js';
import { accessibilityFaults } from '../testing/browser.js';
import { configFor, sharedConsole, withConsole } from '../testing/bakery-console.js';
import type { Mishap } from '../testing/failing-bakery.js';

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

const ends: readonly (readonly [Mishap | 'abandoned', string, readonly string[]])[] = [
  ['mapping', 'failed', ['checking', 'failed', 'mapping']],
  ['before', 'failed', ['before', 'checking', 'failed', 'mapping']],
  ['dispatching', 'failed', ['before', 'checking', 'dispatching', 'failed', 'mapping', 'recovering']],
  ['recovering', 'failed', ['before', 'checking', 'dispatching', 'failed', 'mapping', 'recovering']],
  ['rescued', 'recovered', ['before', 'checking', 'dispatching', 'mapping', 'recovered', 'recovering']],
  ['after', 'failed', ['after', 'before', 'checking', 'dispatching', 'failed', 'mapping']],
  ['', 'completed', ['after', 'before', 'checking', 'completed', 'dispatching', 'mapping']],
  ['abandoned', 'cancelled', ['cancelled', 'checking']],
];

test('a request that fails in any state is shown with its path to the right final state', () =>
  inConsole(async ({ page, bake, abandon }) => {
    // One that takes long is listed while it runs.
    const ended = page.locator('.requests a:not([data-outcome="running"])');
    await ended.first().waitFor();
    for (const [mishap, outcome, states] of ends) {
      const before = await ended.count();
      if (mishap === 'abandoned') await abandon();
      else await bake('Ada', mishap);
      await ended.nth(before).waitFor();
      const newest = ended.first();
      assert.is(await newest.getAttribute('data-outcome'), outcome, mishap);
      await newest.click();
      await page.getByRole('region', { name: 'Request', exact: true }).getByText(outcome).waitFor();
      if ((await page.locator('details.path[open]').count()) === 0)
        await page.getByText('Path through the lifecycle').click();
      await page.locator(`.state.passed[data-state="${outcome}"]`).waitFor();
      const passed = await page
        .locator('.state.passed')
        .evaluateAll((all) => all.map((state) => state.getAttribute('data-state') ?? ''));
      assert.equal(new Set(passed), new Set(states), mishap);
      await page.getByRole('button', { name: 'Show all' }).click();
    }
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
    await page.locator('.requests a').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('.requests li:nth-child(2) a[aria-current]').waitFor();
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

test('a page outlives its host and continues with the next one', () =>
  withConsole(async ({ page, errors, bake, host, definition, databaseUrl }) => {
    await bake('before');
    await page.locator('.requests li:nth-child(1)').waitFor();
    await host.stop();
    await page.getByText('reconnecting').waitFor();
    const next = await startHost(definition, configFor(databaseUrl, new URL(host.url).port));
    try {
      await page.getByText('live', { exact: true }).waitFor();
      await bake('after');
      await page.locator('.requests li:nth-child(2)').waitFor();
    } finally {
      await next.stop();
    }
    // The browser reports the failed connections while the host was down.
    errors.splice(0);
  }));
