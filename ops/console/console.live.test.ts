import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleRoutes } from '../../endpoints/routes/console.js';
import { withBakery } from '../../endpoints/testing/bakery.js';
import { post, send } from '../../endpoints/testing/http-client.js';
import { aRequest, showing, shownHost } from '../../endpoints/testing/shown-host.js';
import { withDatabase } from '../../runtime/testing/database.js';
import { readConfig } from '../config.js';
import { type Host, startHost } from '../host.js';
import { type Browsed, seriousFaults, withBrowser } from '../testing/browser.js';
import { consoleFiles } from './files.js';
import { type Mishap, type Workshop, workshop } from '../testing/workshop.js';

const test = suite('console');

interface Seen extends Browsed, Workshop {
  readonly host: Host;
  readonly databaseUrl: string;
  repair(item: string, mishap?: Mishap): Promise<void>;
  show(panel: string): Promise<void>;
}

const configFor = (url: string, port: string) =>
  readConfig({
    SVC_PORT: port,
    SVC_NAME: 'workshop-1',
    DATABASE_URL: url,
    SVC_INSPECT: '1',
    SVC_LOG: 'error',
  });

/** A host, its console in a browser, and nothing that went wrong in it. */
const withConsole = (body: (seen: Seen) => Promise<void>): Promise<void> =>
  withDatabase(async (databaseUrl) => {
    const shop = workshop();
    const host = await startHost(shop.definition, configFor(databaseUrl, '0'), shop.transport);
    try {
      await withBrowser(async (browsed) => {
        const { page, errors } = browsed;
        const repair = (item: string, mishap: Mishap = '') =>
          // A host that is late refuses requests before they begin.
          until(async () => (await post(host.url, { item, mishap }, { path: '/repairs' })).status !== 503);
        const show = async (panel: string) => {
          await page.goto(`${host.url}/console#/${panel}`);
          await page.getByText('live', { exact: true }).first().waitFor();
        };
        await show('lifecycle');
        await body({ ...shop, ...browsed, host, databaseUrl, repair, show });
        assert.equal(errors, []);
      });
    } finally {
      await host.stop();
    }
  });

const stateOf = (page: Page, state: string, count: number) =>
  page.locator(`.statechart [data-state="${state}"][data-count="${count}"]`);

const rows = (page: Page) => page.locator('main tbody tr');

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const last = Date.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < last, 'it did not come about within 30 s');
    await delay(50);
  }
}

test('the statechart is the machine itself, and counts what really happens in it', () =>
  withConsole(async ({ page, repair }) => {
    await page.locator('.statechart').waitFor();
    assert.is(await page.locator('.statechart [data-state]').count(), 10);
    assert.is(await page.locator('.statechart [data-edge]').count(), 18);
    for (const item of ['chair', 'table', 'lamp']) await repair(item);
    await repair('vase', 'dispatching');
    await stateOf(page, 'completed', 3).waitFor();
    await stateOf(page, 'failed', 1).waitFor();
    await page.locator('[data-edge="after succeeded completed"][data-count="3"]').waitFor();
    assert.match(await stateOf(page, 'dispatching', 4).innerHTML(), /p50 .* · p99 /);
    await page.getByRole('button', { name: 'As table' }).click();
    assert.ok((await page.getByRole('row', { name: /^recovering → failed on rethrown 1/ }).count()) > 0);
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

test('a request that fails in any state is shown on its way to the right end', () =>
  withConsole(async ({ page, repair, abandon }) => {
    for (const [mishap, outcome, states] of ends) {
      const before = await page.locator('.requests li').count();
      if (mishap === 'abandoned') await abandon();
      else await repair('clock', mishap);
      await page.locator(`.requests li:nth-child(${before + 1})`).waitFor();
      const newest = page.locator('.requests a').first();
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

test('a request shows its messages, what it stored and how it was audited', () =>
  withConsole(async ({ page, repair }) => {
    await repair('piano');
    await repair('violin', 'rescued');
    await page.locator('.requests a[data-outcome="completed"]').click();
    await page.getByRole('region', { name: 'Events' }).getByText('ItemRepaired').waitFor();
    const audit = page.getByRole('region', { name: 'Audit' });
    await audit.getByText('CommandAudited').waitFor();
    await audit.getByText('EventAudited').waitFor();
    const told = (await page.locator('.sequence').textContent()) ?? '';
    for (const name of ['lifecycle', 'Repair handler', 'store', 'commit', 'completed'])
      assert.match(told, name);
    await page.locator('#search').fill('recovered');
    await page.locator('.requests li:only-child a[data-outcome="recovered"]').click();
    await page.getByText('rescued-mishap').first().waitFor();
    await page.locator('#search').fill('no such request');
    await page.getByText('No request matches.').waitFor();
  }));

test('the system stream grows as it is watched, can be filtered, read and verified', () =>
  withConsole(async ({ page, repair, show }) => {
    await repair('boots');
    await show('system');
    await page.getByRole('cell', { name: 'CommandAudited' }).first().waitFor();
    const before = await rows(page).count();
    await repair('gloves');
    await until(async () => (await rows(page).count()) > before);
    await page.getByLabel('type').fill('EventAudited');
    await page.getByRole('button', { name: 'Filter' }).click();
    await until(async () => (await page.getByRole('cell', { name: 'CommandAudited' }).count()) === 0);
    assert.is(await rows(page).count(), 2);
    await rows(page).first().getByRole('link').click();
    await page.getByText('"originalEventType": "ItemRepaired"').waitFor();
    await page.getByRole('button', { name: 'Verify chain' }).click();
    await page.getByText(/Chain holds · \d+ records/).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page
      .getByRole('button', { name: /^Only correlation/ })
      .first()
      .click();
    await until(async () => (await page.getByRole('cell', { name: 'CommandAudited' }).count()) === 1);
    assert.is(await rows(page).count(), 2);
  }));

test('perspectives show how far they are', () =>
  withConsole(async ({ page, repair, show }) => {
    await repair('kettle');
    await show('perspectives');
    const row = page.getByRole('row', { name: /^repairs live/ });
    await row.waitFor();
    await row.getByRole('progressbar').waitFor();
    await until(async () => /^[1-9]/.test((await row.getByRole('cell').nth(1).textContent()) ?? ''));
  }));

test('dead letters are discarded and replayed only after a confirmation', () =>
  withConsole(async ({ page, repair, show, transport }) => {
    await repair('a cursed mirror');
    await repair('a cursed mirror');
    await show('outbox');
    await page.getByRole('button', { name: 'Discard 2' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.is(await page.getByRole('row', { name: /Nobody carries/ }).count(), 2);
    await page.getByRole('button', { name: 'Discard 2' }).click();
    await page.getByLabel('Reason').fill('nobody wants it');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard 2' }).waitFor({ state: 'detached' });
    transport.refuses = undefined;
    await page.getByRole('button', { name: 'Replay 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('There are no dead letters.').waitFor();
  }));

test('actors, health and API show what the host is made of', () =>
  withConsole(async ({ page, show }) => {
    await show('actors');
    await page.getByRole('row', { name: /^outbox-relay running/ }).waitFor();
    await page.getByRole('row', { name: /^Repair handler idle .*0 \/ 1,024/ }).waitFor();
    await page.getByRole('row', { name: /^repairs perspective live/ }).waitFor();
    await page.getByRole('row', { name: /^http running/ }).waitFor();
    await show('health');
    await page.getByRole('heading', { name: 'svc_relational_db' }).waitFor();
    await show('api');
    await page.getByRole('row', { name: 'POST /repairs repair Repairs one item' }).waitFor();
  }));

test('a page of several hosts shows the one that is chosen, and acts on no other', async () => {
  const [one, other] = [shownHost('bakery-1'), shownHost('bakery-2')];
  one.requests.push(aRequest('first'));
  other.requests.push(aRequest('second'));
  const { add, close } = consoleRoutes(showing(one, other), await consoleFiles());
  await withBakery({ http: { routes: [add] } }, ({ url }) =>
    withBrowser(async ({ page }) => {
      await page.goto(`${url}/console`);
      await page.locator('.requests li', { hasText: 'c-first' }).waitFor();
      await page.getByLabel('Host').selectOption('bakery-2');
      await page.locator('.requests li', { hasText: 'c-second' }).waitFor();
      assert.is(await page.locator('.requests li').count(), 1);
      await page.reload();
      await page.locator('.requests li', { hasText: 'c-second' }).waitFor();
      await page.getByRole('link', { name: 'Perspectives' }).click();
      await page.getByRole('button', { name: 'Rebuild breads' }).click();
      await page.getByLabel('Mode').selectOption('InPlace');
      assert.equal(other.deeds, []);
      await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal([one.deeds, other.deeds], [[], ['rebuild breads InPlace']]);
      other.rebuilding = { done: 25, total: 100 };
      await page.getByText('25 %').waitFor();
    }),
  ).finally(close);
});

test('where nobody may look there is no console', () =>
  withDatabase(async (url) => {
    const { definition } = workshop();
    const host = await startHost(definition, { ...configFor(url, '0'), inspect: false });
    for (const path of ['/console', '/console/app.js', '/console/api/host', '/console/stream']) {
      assert.is((await send(host.url, { method: 'GET', path })).status, 404, path);
    }
    await host.stop();
  }));

test('everything can be reached with the keyboard', () =>
  withConsole(async ({ page, repair }) => {
    await repair('radio');
    await repair('camera', 'before');
    await page.locator('.requests li:nth-child(2)').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('repair');
    assert.is(await page.locator('#search').inputValue(), 'repair');
    await page.keyboard.press('Escape');
    await page.locator('.requests a').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('.requests li:nth-child(2) a[aria-current]').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Choose a request').waitFor();
    for (const [key, title] of [
      ['2', 'System stream'],
      ['6', 'Health'],
      ['1', 'Lifecycle'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`nav a[aria-current="page"]`, { hasText: title }).waitFor();
    }
  }));

const panels = ['lifecycle', 'system', 'perspectives', 'outbox', 'actors', 'health', 'api'];

test('light and dark, no panel keeps anybody out or asks another server', () =>
  withConsole(async ({ page, repair, show, host, asked }) => {
    const folder = join(tmpdir(), 'svc-console');
    await mkdir(folder, { recursive: true });
    for (const [mishap] of ends) if (mishap !== 'abandoned') await repair('a cursed mirror', mishap);
    for (const theme of ['light', 'dark']) {
      await page.locator(`html[data-theme="${theme}"]`).waitFor();
      for (const panel of panels) {
        await show(panel);
        if (panel === 'lifecycle') await page.locator('.requests a').first().click();
        if (panel === 'system') await page.locator('tbody a').first().click();
        await page.waitForLoadState('domcontentloaded');
        await page.waitForTimeout(700);
        await page.screenshot({ path: join(folder, `${panel}-${theme}.png`) });
        assert.equal(await seriousFaults(page), [], `${panel} ${theme}`);
      }
      await page.getByRole('button', { name: /^Use (dark|light) colours/ }).click();
    }
    const foreign = asked.filter((url) => !url.startsWith(host.url) && !url.startsWith('data:'));
    assert.equal(foreign, []);
  }));

test('a page outlives its host and goes on with the next one', () =>
  withConsole(async ({ page, errors, repair, host, definition, databaseUrl }) => {
    await repair('before');
    await page.locator('.requests li:nth-child(1)').waitFor();
    await host.stop();
    await page.getByText('reconnecting').waitFor();
    const next = await startHost(definition, configFor(databaseUrl, new URL(host.url).port));
    try {
      await page.getByText('live', { exact: true }).waitFor();
      await repair('after');
      await page.locator('.requests li:nth-child(2)').waitFor();
      // That nobody answered is what the browser tells about the time between the two.
      errors.splice(0);
    } finally {
      await next.stop();
    }
  }));

test.run();
