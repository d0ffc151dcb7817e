import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Tokens, type TokenSettings } from '../../endpoints/access/tokens.js';
import { consoleRoutes } from './server/routes.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { Inspector } from '../../endpoints/routes/inspector.js';
import { withBakery } from '../../endpoints/testing/bakery.js';
import { knownCallers } from '../../endpoints/testing/known-callers.js';
import { consoleOf, type ScriptedHost, scriptedHost } from '../testing/scripted-host.js';
import { consoleLink } from '../generated-token.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { until } from '../../runtime/testing/until.js';
import { consoleFiles } from './server/page-files.js';

const test = suite('signing in to the console');

interface Seen {
  readonly page: Page;
  readonly url: string;
  readonly host: ScriptedHost;
  readonly asked: readonly string[];
}

async function withPage(tokens: TokenSettings, body: (seen: Seen) => Promise<void>): Promise<void> {
  const host = scriptedHost();
  const access = { tokens: new Tokens(tokens), localOnly: true };
  const { add, close } = consoleRoutes(consoleOf(host), consoleFiles(), access);
  await withBakery({ http: { access, routes: [add], localOnly: true } }, ({ url }) =>
    withBrowser(({ page, asked }) => body({ page, url, host, asked })),
  ).finally(close);
}

const isLive = (page: Page) => page.getByText('live', { exact: true }).first().waitFor();

async function give(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token or key', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function rebuild(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await page.getByRole('link', { name: 'Perspectives' }).click();
  await page.getByRole('button', { name: 'Rebuild breads' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
}

test('a user without the token is asked until it is the right one', () =>
  withPage({ inspect: 'let me look', operator: 'let me act' }, async ({ page, url, host, asked }) => {
    await page.goto(`${url}/console`);
    await page.getByText('Looking needs the token').waitFor();
    assert.equal(await accessibilityFaults(page), []);
    await give(page, 'wrong');
    await page.getByText('That token or key was not accepted.').waitFor();
    await give(page, 'let me look');
    await isLive(page);
    await page.reload();
    await isLive(page);
    await rebuild(page);
    await page.getByText('Acting needs the token').waitFor();
    assert.equal(host.actions, []);
    await give(page, 'let me act');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(host.actions, ['rebuild breads BlueGreen']);
    await isLive(page);
    assert.not.match(asked.join(' '), /let(?: |%20|\+)me/, 'no URL carries a token');
  }));

test('a link carries the token behind #, and it stays neither there nor in the URL of a request', () =>
  withPage({ operator: 'let me act' }, async ({ page, url, host, asked }) => {
    await page.goto(consoleLink(url, 'let me act'));
    await isLive(page);
    assert.is(page.url(), `${url}/console`);
    await rebuild(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(host.actions, ['rebuild breads BlueGreen']);
    const requests = asked.filter((address) => address.includes('/console/'));
    assert.not.match(requests.join(' '), /let(?: |%20|\+)me/);
  }));

test('a user who gives no token is not asked again until they act', () =>
  withPage({ generated: 'let me act' }, async ({ page, url, host }) => {
    await page.goto(`${url}/console`);
    await isLive(page);
    await rebuild(page);
    const prompt = page.getByRole('dialog', { name: 'Sign in' });
    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await prompt.waitFor({ state: 'detached' });
    await page.getByRole('alert').getByText('Acting needs the token').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
    await prompt.waitFor();
    await give(page, 'let me act');
    await until(async () => host.actions.length === 1);
  }));

test('without an operator token the page says what is missing', () =>
  withPage({}, async ({ page, url, host }) => {
    await page.goto(`${url}/console`);
    await isLive(page);
    await rebuild(page);
    await page.getByRole('alert').getByText('start this host with SVC_OPERATOR_TOKEN').waitFor();
    assert.equal(host.actions, []);
  }));

async function withGuardedPages(
  body: (seen: { page: Page; url: string; errors: string[] }) => Promise<void>,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<void> {
  const authentication = knownCallers();
  const access = { tokens: new Tokens(), localOnly: false, authentication };
  const inspector = new Inspector(new Inspection({ host: 'oven-1' }).feed, { access });
  const { add, close } = consoleRoutes(consoleOf(scriptedHost()), consoleFiles(), access);
  const openApi = JSON.stringify({ info: { title: 'Bakery', version: '1' }, tags: [], paths: {} });
  const http = { authentication, access, openApi, routes: [add, inspector.route] };
  await withBakery({ http }, ({ url }) =>
    withBrowser(({ page, errors }) => body({ page, url, errors }), { colorScheme }),
  ).finally(() => {
    inspector.stop();
    close();
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a guarded page asks who is there, in ${colorScheme} colors`, () =>
    withGuardedPages(async ({ page, url, errors }) => {
      await page.goto(`${url}/docs`);
      assert.equal(await accessibilityFaults(page), []);
      await give(page, 'nobody');
      await page.getByRole('alert').getByText('That token or key was not accepted.').waitFor();
      await give(page, 'guest');
      await page.getByRole('alert').getByText('You do not have the permission that this needs.').waitFor();
      assert.equal(await accessibilityFaults(page), []);
      await give(page, 'observer');
      await page.getByRole('heading', { name: 'Bakery' }).waitFor();
      assert.equal(
        errors.filter((text) => !/Failed to load resource.*40[13]/.test(text)),
        [],
      );
    }, colorScheme));
}

test('one sign-in opens every page, its events and its WebSocket, until signing out', () =>
  withGuardedPages(async ({ page, url }) => {
    await page.goto(consoleLink(url, 'observer'));
    await isLive(page);
    assert.is(page.url(), `${url}/console`);
    assert.is(await page.evaluate('document.cookie'), '');
    const opens = (source: string) =>
      page.evaluate(`new Promise((resolve) => {
        const opened = ${source};
        opened.onopen = () => { opened.close(); resolve('open'); };
        opened.onerror = () => resolve('refused');
      })`);
    assert.is(await opens("new EventSource('console/stream')"), 'open');
    assert.is(await opens("new WebSocket(new URL('inspect', location).href.replace('http', 'ws'))"), 'open');
    await page.getByTitle('Signed in as eve').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.is(await opens("new EventSource('console/stream')"), 'refused');
  }));
