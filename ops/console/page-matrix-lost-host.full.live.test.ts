import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withBrowser } from '../testing/browser.js';
import { createOrder } from '../testing/order-load.js';
import { consoleFaults } from '../testing/page-faults.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('pages at every width, without a host');

const patienceMs = 120_000;

const bar = (page: Page, level: string, text: string) =>
  page.locator(`.state-bar[data-level="${level}"]`, { hasText: text }).waitFor({ timeout: patienceMs });

test('when the host is killed, every panel of its open page is whole and accessible', () =>
  withStore((databaseUrl) =>
    withOrders({ DATABASE_URL: databaseUrl, SVC_INSPECT: '1' }, (host) =>
      withBrowser(async ({ page }) => {
        await createOrder(host.url);
        await page.goto(`${host.url}/console`);
        await bar(page, 'good', 'checks are healthy');
        await host.kill('SIGKILL');
        await bar(page, 'lost', 'The connection to the host is lost');
        assert.equal(await consoleFaults(page, 'no host'), []);
      }),
    ),
  ));
