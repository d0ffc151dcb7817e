import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withConsole } from '../testing/bakery-console.js';
import { bar, follow, healthy } from '../testing/state-bar.js';

const test = suite('claims of the state bar');

async function retry(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Entries' }).getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('repaired');
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
}

test('a degraded check, a dead letter and a parked row are claimed while they last', () =>
  withConsole(async ({ page, bake, oven, transport }) => {
    await healthy(page);
    oven.status = 'Degraded';
    await bar(page, 'warn', 'ovens is degraded: An oven cools down.');
    oven.status = 'Unhealthy';
    await bar(page, 'bad', 'ovens is unhealthy: An oven cools down.');
    oven.status = 'Healthy';
    await healthy(page);

    await bake('Oscar');
    await bar(page, 'warn', '1 dead letter waits for a decision.');
    // Only that the state has changed is announced, not each count.
    assert.is(await page.locator('.state-bar [role=status]').textContent(), 'Something needs attention.');
    transport.refuses = undefined;
    await follow(page);
    await page.getByRole('link', { name: 'Repair 1' }).click();
    await retry(page);
    await healthy(page);

    await bake('Parker');
    await bar(page, 'warn', /breads.*parked|parked row of breads/);
    oven.parks = undefined;
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('link', { name: 'Perspectives' }).click();
    await page
      .getByRole('row', { name: /^breads/ })
      .getByRole('link', { name: '1' })
      .click();
    await retry(page);
    await healthy(page);
  }));
