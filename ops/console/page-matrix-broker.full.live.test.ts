import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withBrowser } from '../testing/browser.js';
import { createOrder } from '../testing/order-load.js';
import { consoleFaults } from '../testing/page-faults.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('pages at every width, without a broker');

const patienceMs = 120_000;

const bar = (page: Page, level: string, text: string) =>
  page.locator(`.state-bar[data-level="${level}"]`, { hasText: text }).waitFor({ timeout: patienceMs });

test('without a broker, every panel is whole and accessible', () =>
  withNatsServer((nats) =>
    withStore((databaseUrl) =>
      withOrders({ DATABASE_URL: databaseUrl, NATS_URL: nats.url, SVC_INSPECT: '1' }, (host) =>
        withBrowser(async ({ page }) => {
          await createOrder(host.url);
          await page.goto(`${host.url}/console`);
          await nats.stop();
          await bar(page, 'bad', 'The message broker is not available');
          assert.equal(await consoleFaults(page, 'no broker'), []);
        }),
      ),
    ),
  ));
