import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Tokens, type TokenSettings } from '../../endpoints/access/tokens.js';
import { consoleRoutes } from './server/routes.js';
import { withBakery } from '../../endpoints/testing/bakery.js';
import { consoleOf, type ScriptedHost, scriptedHost } from '../testing/scripted-host.js';
import { consoleLink } from '../config/generated-token.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { until } from '../../runtime/kit/until.js';
import { consoleFiles } from './server/page-files.js';
import { isLive, give } from '../testing/signing-in.js';

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
