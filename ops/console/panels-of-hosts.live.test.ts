import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Tokens } from '../../endpoints/access/tokens.js';
import { consoleRoutes } from './server/routes.js';
import { withBakery } from '../../endpoints/testing/bakery.js';
import { send } from '../../endpoints/testing/http-client.js';
import { aRequest, consoleOf, scriptedHost } from '../testing/scripted-host.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { consoleLink } from '../config/generated-token.js';
import { startHost } from '../host/host.js';
import { withBrowser } from '../testing/browser.js';
import { configFor } from '../testing/bakery-console.js';
import { failingBakery } from '../testing/failing-bakery.js';
import { consoleFiles } from './server/page-files.js';

const test = suite('panels of several hosts, and of none');

test('a page of several hosts shows the selected host, and acts on no other', async () => {
  const [one, other] = [scriptedHost('bakery-1'), scriptedHost('bakery-2')];
  one.requests.push(aRequest('first'));
  other.requests.push(aRequest('second'));
  const access = { tokens: new Tokens({ generated: 'open sesame' }), localOnly: true };
  const { add, close } = consoleRoutes(consoleOf(one, other), consoleFiles(), access);
  await withBakery({ http: { access, routes: [add] } }, ({ url }) =>
    withBrowser(async ({ page }) => {
      await page.goto(consoleLink(url, 'open sesame'));
      await page.locator('.requests li', { hasText: 'c-first' }).waitFor();
      await page.getByLabel('Host', { exact: true }).selectOption('bakery-2');
      await page.locator('.requests li', { hasText: 'c-second' }).waitFor();
      assert.is(await page.locator('.requests li').count(), 1);
      await page.reload();
      await page.locator('.requests li', { hasText: 'c-second' }).waitFor();
      await page.getByRole('link', { name: 'Data' }).click();
      await page.getByRole('link', { name: 'Perspectives' }).click();
      await page.getByRole('button', { name: 'Rebuild breads' }).click();
      await page.getByLabel('Mode').selectOption('InPlace');
      assert.equal(other.actions, []);
      await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal([one.actions, other.actions], [[], ['rebuild breads InPlace']]);
      other.rebuilding = { done: 25, total: 100 };
      await page.getByText('25 %', { exact: true }).waitFor();
    }),
  ).finally(close);
});

test('without inspection there is no console', () =>
  withStore(async (url) => {
    const { definition } = failingBakery();
    const host = await startHost(definition, { ...configFor(url, '0'), inspect: false });
    for (const path of ['/console', '/console/app.js', '/console/api/host', '/console/stream']) {
      assert.is((await send(host.url, { method: 'GET', path })).status, 404, path);
    }
    await host.stop();
  }));
