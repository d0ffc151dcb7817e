import * as assert from 'uvu/assert';
import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readConfig } from '../config/config.js';
import { consoleLink } from '../config/generated-token.js';
import { type Host, startHost } from '../host/host.js';
import { type Browsed, withBrowser } from './browser.js';
import { type FailingBakery, failingBakery, type Mishap } from './failing-bakery.js';
import { sharedIn, type Suite } from '../../runtime/testing/shared-in.js';
import { until } from '../../runtime/kit/until.js';

export interface BakeryConsole extends Browsed, FailingBakery {
  readonly host: Host;
  readonly databaseUrl: string;
  readonly bake: (who: string, mishap?: Mishap) => Promise<unknown>;
  readonly show: (panel: string) => Promise<void>;
}

export const configFor = (url: string, port: string) =>
  readConfig({
    SVC_PORT: port,
    SVC_NAME: 'bakery-1',
    DATABASE_URL: url,
    SVC_INSPECT: '1',
    SVC_LOG: 'error',
  });

const generatedToken = 'made for the bakery';

/** A host with its console in a browser; expects no error in it. */
export const withConsole = (
  body: (seen: BakeryConsole) => Promise<void>,
  bakery: FailingBakery = failingBakery(),
): Promise<void> =>
  withStore(async (databaseUrl) => {
    const config = { ...configFor(databaseUrl, '0'), generatedToken };
    const host = await startHost(bakery.definition, config, bakery.transport);
    try {
      await withBrowser(async (browsed) => {
        const { page, errors } = browsed;
        const bake = (who: string, mishap: Mishap = '') =>
          // An overloaded host refuses requests before they begin.
          until(async () => (await post(host.url, { who, note: mishap }, { path: '/bun' })).status !== 503);
        const show = async (panel: string) => {
          await page.goto(`${host.url}/console#/${panel}`);
          await page.getByText('live', { exact: true }).first().waitFor();
        };
        await page.goto(consoleLink(host.url, generatedToken));
        await show('requests');
        await body({ ...bakery, ...browsed, host, databaseUrl, bake, show });
        assert.equal(errors, []);
      });
    } finally {
      await host.stop();
    }
  });

/** One for all tests of a suite; each begins with the requests, and leaves no error. */
export function sharedConsole(test: Suite): (body: (seen: BakeryConsole) => Promise<void>) => Promise<void> {
  const shared = sharedIn<BakeryConsole>(test, (use) => withConsole(use));
  return (body) =>
    shared(async (seen) => {
      await seen.page.goto('about:blank');
      await seen.show('requests');
      await body(seen);
      assert.equal(seen.errors, []);
    });
}
