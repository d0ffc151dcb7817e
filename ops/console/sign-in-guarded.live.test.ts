import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Tokens } from '../../endpoints/access/tokens.js';
import { consoleRoutes } from './server/routes.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { Inspector } from '../../endpoints/routes/inspector.js';
import { withBakery } from '../../endpoints/testing/bakery.js';
import { knownCallers } from '../../endpoints/testing/known-callers.js';
import { consoleOf, scriptedHost } from '../testing/scripted-host.js';
import { consoleLink } from '../config/generated-token.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { consoleFiles } from './server/page-files.js';
import { isLive, give } from '../testing/signing-in.js';

const test = suite('signing in to a host that authenticates');

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
      await page.getByRole('alert').getByText('You lack the permission that this requires.').waitFor();
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
