import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import { withBrowser } from '../testing/browser.js';
import { createOrder } from '../testing/order-load.js';
import { consoleFaults, otherPageFaults } from '../testing/page-faults.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('pages at every width, without a database');

const patienceMs = 120_000;

const bar = (page: Page, level: string, text: string) =>
  page.locator(`.state-bar[data-level="${level}"]`, { hasText: text }).waitFor({ timeout: patienceMs });

test('without a database, every panel and every other page is whole and accessible', () =>
  withStore((databaseUrl) =>
    withProxy(databaseUrl, (database) =>
      withOrders({ DATABASE_URL: database.url, SVC_INSPECT: '1' }, (host) =>
        withBrowser(async ({ page }) => {
          await createOrder(host.url);
          await page.goto(`${host.url}/console`);
          await bar(page, 'good', 'checks are healthy');
          await database.cut();
          await bar(page, 'bad', 'The database is not available');
          assert.equal(await consoleFaults(page, 'no database'), []);
          assert.equal(await otherPageFaults(page, host.url, 'no database'), []);
        }),
      ),
    ),
  ));
