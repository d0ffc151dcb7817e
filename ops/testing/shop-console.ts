import * as assert from 'uvu/assert';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { consoleLink } from '../config/generated-token.js';
import { type Host, startHost } from '../host/host.js';
import { configFor } from './bakery-console.js';
import { type Browsed, withBrowser } from './browser.js';
import { type ReactingShop, reactingShop } from './reacting-shop.js';
import { untilShopReacts } from './shop-cursors.js';

export interface ShopConsole extends Browsed, ReactingShop {
  readonly host: Host;
  readonly databaseUrl: string;
  /** The way of the host to its database. */
  readonly database: NetworkProxy;
  /** Opens the panel of processes, with what is named open in it. */
  show(what?: string): Promise<void>;
  /** Waits until the process of an order is in this state. */
  reaches(orderId: string, state: string): Promise<void>;
}

const generatedToken = 'made for the shop';

/** A host whose processes are watched in a browser; expects no error in it. */
export const withShopConsole = (body: (seen: ShopConsole) => Promise<void>): Promise<void> =>
  withStore((databaseUrl) => withProxy(databaseUrl, (database) => watched(databaseUrl, database, body)));

async function watched(
  databaseUrl: string,
  database: NetworkProxy,
  body: (seen: ShopConsole) => Promise<void>,
): Promise<void> {
  const shop = reactingShop();
  const host = await startHost(shop.definition, { ...configFor(database.url, '0'), generatedToken });
  const reaches = async (orderId: string, state: string): Promise<void> => {
    const wanted = `SELECT 1 FROM svc_processes WHERE key = '${orderId}' AND (state = '${state}' OR status = '${state}')`;
    await until(async () => (await rowsOf(databaseUrl, wanted)).length > 0);
  };
  try {
    await untilShopReacts(databaseUrl);
    await withBrowser(async (browsed) => {
      const { page, errors } = browsed;
      const show = async (what = ''): Promise<void> => {
        await page.goto(`${host.url}/console#/processes${what === '' ? '' : `/${what}`}`);
        await page.getByText('live', { exact: true }).first().waitFor();
      };
      await page.goto(consoleLink(host.url, generatedToken));
      await body({ ...shop, ...browsed, host, database, databaseUrl, show, reaches });
      assert.equal(errors, []);
    });
  } finally {
    await host.stop();
  }
}
