import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readConfig } from '../config.js';
import { consoleLink } from '../generated-token.js';
import { type Host, startHost } from '../host/host.js';
import { type Browsed, withBrowser } from './browser.js';
import { type Mishap, type Workshop, workshop } from './workshop.js';

interface WorkshopConsole extends Browsed, Workshop {
  readonly host: Host;
  readonly databaseUrl: string;
  repair(item: string, mishap?: Mishap): Promise<void>;
  show(panel: string): Promise<void>;
}

export const configFor = (url: string, port: string) =>
  readConfig({
    SVC_PORT: port,
    SVC_NAME: 'workshop-1',
    DATABASE_URL: url,
    SVC_INSPECT: '1',
    SVC_LOG: 'error',
  });

const generatedToken = 'made for the workshop';

/** A host with its console in a browser; expects no error in it. */
export const withConsole = (body: (seen: WorkshopConsole) => Promise<void>): Promise<void> =>
  withStore(async (databaseUrl) => {
    const shop = workshop();
    const config = { ...configFor(databaseUrl, '0'), generatedToken };
    const host = await startHost(shop.definition, config, shop.transport);
    try {
      await withBrowser(async (browsed) => {
        const { page, errors } = browsed;
        const repair = (item: string, mishap: Mishap = '') =>
          // An overloaded host refuses requests before they begin.
          until(async () => (await post(host.url, { item, mishap }, { path: '/repairs' })).status !== 503);
        const show = async (panel: string) => {
          await page.goto(`${host.url}/console#/${panel}`);
          await page.getByText('live', { exact: true }).first().waitFor();
        };
        await page.goto(consoleLink(host.url, generatedToken));
        await show('lifecycle');
        await body({ ...shop, ...browsed, host, databaseUrl, repair, show });
        assert.equal(errors, []);
      });
    } finally {
      await host.stop();
    }
  });

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const last = Date.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < last, 'timed out after 30 s');
    await delay(50);
  }
}
