import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { lifelinesOf } from './model/sequence-diagram.js';
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
