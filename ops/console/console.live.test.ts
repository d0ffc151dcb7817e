import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startHost } from '../host/host.js';
import { lifelinesOf } from './model/sequence-diagram.js';
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

test('a request shows its messages, what it stored and how it was audited', () =>
  inConsole(async ({ page, bake }) => {
    await bake('Ada');
    await bake('Grace', 'rescued');
    await page.locator('.requests a[data-outcome="completed"]').first().click();
    await page.getByRole('region', { name: 'Events' }).getByText('BreadBaked').waitFor();
    const audit = page.getByRole('region', { name: 'Audit' });
    await audit.getByText('CommandAudited').waitFor();
    await audit.getByText('EventAudited').waitFor();
    const sequence = (await page.locator('.sequence').textContent()) ?? '';
    for (const name of ['lifecycle', 'BakeBun handler', 'store', 'commit', 'completed'])
      assert.match(sequence, name);
    const names = ['BakeBun handler', 'CreateOrder handler', 'ReconcileMonthlyInvoices handler', 'MMMWWWW@'];
    const written = await page
      .locator('.sequence .actor text')
      .first()
      .evaluate(
        (text, all) =>
          all.map((name) => {
            text.textContent = name;
            return text.getBoundingClientRect().width;
          }),
        names,
      );
    for (const [index, { width, label }] of lifelinesOf(names).entries())
      assert.ok((written[index] ?? Infinity) < width - 4, `${label} is ${written[index]} wide in ${width}`);
    await page.locator('#search').fill('recovered');
    await page.locator('.requests li:only-child a[data-outcome="recovered"]').click();
    await page.getByText('rescued-mishap').first().waitFor();
    await page.locator('#search').fill('no such request');
    await page.getByText('No requests match.').waitFor();
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
      await page.locator(`.state.passed[data-state="${outcome}"]`).waitFor();
      await page.getByRole('heading', { name: 'Sequence' }).waitFor();
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
    await page.getByText('Select a request').waitFor();
    for (const [key, title] of [
      ['2', 'System stream'],
      ['6', 'Health'],
      ['1', 'Lifecycle'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`nav a[aria-current="page"]`, { hasText: title }).waitFor();
    }
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
