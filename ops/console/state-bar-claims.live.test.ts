import type { Page } from 'playwright-core';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { openDatabase } from '../../runtime/database/database.js';
import { withConsole } from '../testing/bakery-console.js';

const test = suite('claims of the state bar');

const bar = (page: Page, level: string, text: string | RegExp) =>
  page.locator(`.state-bar[data-level="${level}"]`, { hasText: text }).waitFor();

const healthy = (page: Page) => bar(page, 'good', /All \d+ checks are healthy/);

/** From the sentence to the panel about it. */
const follow = (page: Page) => page.locator('.state-bar a').click();

async function confirm(page: Page, action: string): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(`^${action}`) })
    .first()
    .click();
  await page.getByRole('dialog').getByLabel('Reason').fill('repaired');
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
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
    transport.refuses = undefined;
    await follow(page);
    await page.getByRole('button', { name: 'Replay 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await healthy(page);

    await bake('Parker');
    await bar(page, 'warn', /breads.*parked|parked row of breads/);
    oven.parks = undefined;
    await page.getByRole('link', { name: 'Perspectives' }).click();
    await confirm(page, 'Release');
    await healthy(page);
  }));

test('a running rebuild, a part that cannot be read and crashed requests are claimed', () =>
  withConsole(async ({ page, bake, show, host, databaseUrl }) => {
    // At one event per second the rebuild must not end before a busy machine has shown it.
    for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 10 }, () => bake('Ada')));
    await healthy(page);
    const cancelled = new AbortController();
    const options = { mode: RebuildMode.BlueGreen, maxRate: 1, signal: cancelled.signal };
    const rebuilt = host.service.rebuild('breads', options).catch((error: unknown) => error);
    await bar(page, 'good', /; breads is being rebuilt \(\d+ %\)\./);
    await show('machines/perspective-rebuild');
    await page.locator('.state.here[data-state=replaying]', { hasText: 'breads' }).waitFor();
    cancelled.abort();
    await rebuilt;
    await page.getByRole('region', { name: 'perspective-rebuild' }).getByText('not running').waitFor();
    await page.getByRole('link', { name: 'health-board' }).click();
    await page.locator('.state.here[data-state=watching]', { hasText: 'the health board' }).waitFor();
    await bar(page, 'good', /healthy(?!.*rebuilt)/);

    const database = openDatabase({ url: databaseUrl, applicationName: 'lock' });
    try {
      const session = await database.session();
      await session.rows({ text: 'BEGIN; LOCK TABLE svc_dead_letters IN ACCESS EXCLUSIVE MODE' });
      await bar(page, 'warn', /cannot read .*outbox|outbox cannot be read/);
      await session.rows({ text: 'ROLLBACK' });
      session.release();
    } finally {
      await database.close();
    }
    await healthy(page);

    await bake('Ada', 'crashing');
    const claim = /^1 of \d+ requests? in the last .* failed with an error of the service\./;
    // Half of all requests of the last minute are an alarm.
    await page.locator('.state-bar:is(.warn, .bad)', { hasText: claim }).waitFor();
    await follow(page);
    await page.locator('.requests a', { hasText: 'TypeError' }).waitFor();
  }));
