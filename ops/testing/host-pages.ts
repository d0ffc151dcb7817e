import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { sharedIn, type Suite } from '../../runtime/testing/shared-in.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { accessibilityFaults, withBrowser } from './browser.js';
import { type Host, startHost } from '../host/host.js';

const orders = fileURLToPath(new URL('../../examples/orders', import.meta.url));

/** Runs the orders example. */
export const withOrdersHost = (
  body: (host: Host) => Promise<void>,
  more: Partial<ServiceDefinition> = {},
): Promise<void> =>
  withStore(async (databaseUrl) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl, SVC_LOG: 'error' });
    const host = await startHost({ ...(await loadService(orders)), ...more }, config);
    try {
      await body(host);
    } finally {
      await host.stop();
    }
  });

/** Opens a page of the orders example and expects no error and no request to another server. */
export const openPage = (host: Host, path: string, body: (page: Page) => Promise<void>): Promise<void> =>
  withBrowser(async ({ page, errors, asked }) => {
    await page.goto(host.url + path);
    await body(page);
    assert.equal(errors, []);
    assert.equal(
      asked.filter((url) => !url.startsWith(host.url) && !url.startsWith('data:')),
      [],
    );
    assert.equal(await accessibilityFaults(page), []);
  });

/** Opens pages of one host, which all tests of a suite share. */
export function sharedPages(
  test: Suite,
): (path: string, body: (page: Page) => Promise<void>) => Promise<void> {
  const shared = sharedIn<Host>(test, withOrdersHost);
  return (path, body) => shared((host) => openPage(host, path, body));
}
