import type { Page } from 'playwright-core';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { withBrowser } from '../testing/browser.js';
import { withMonitor } from '../testing/running-monitor.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('claims of the state bar of a monitor');

/** A host is silent after 30 s without a report; a loaded machine shows it later. */
const patienceMs = 240_000;

const bar = (page: Page, level: string, text: string) =>
  page.locator(`.state-bar[data-level="${level}"]`, { hasText: text }).waitFor({ timeout: patienceMs });

test('hosts that are unhealthy, stopped or silent are named, and what is wrong with the monitor itself', () =>
  withEmptyNats((nats) =>
    withMonitor(nats, (monitor, ownDatabase) =>
      withBrowser(async ({ page }) => {
        await page.goto(`${monitor.url}/console`);
        await bar(page, 'quiet', 'No hosts found yet.');
        const env = (name: string, url: string) => ({
          DATABASE_URL: url,
          NATS_URL: nats,
          SVC_BROADCAST: '1',
          SVC_NAME: name,
        });
        await withStore((northUrl) =>
          withStore((southUrl) =>
            withProxy(southUrl, (southDatabase) =>
              withOrders(env('north', northUrl), (north) =>
                withOrders(env('south', southDatabase.url), async (south) => {
                  await bar(page, 'good', 'All 2 hosts are healthy.');
                  await southDatabase.cut();
                  await bar(page, 'bad', '1 of 2 hosts is unhealthy: south.');
                  await southDatabase.restore();
                  await bar(page, 'good', 'All 2 hosts are healthy.');
                  await south.kill('SIGTERM');
                  await bar(page, 'warn', '1 of 2 hosts is stopped: south.');
                  await page.getByLabel('Host', { exact: true }).selectOption('south');
                  await bar(page, 'warn', 'This host has stopped.');
                  await page.goto(`${monitor.url}/console#/overview`);
                  await north.kill('SIGKILL');
                  await bar(page, 'bad', '1 of 2 hosts is silent: north.');
                  await page.getByLabel('Host', { exact: true }).selectOption('north');
                  await bar(page, 'bad', 'This host has sent no report for more than 30 s.');
                  await page.goto(`${monitor.url}/console#/overview`);
                  await ownDatabase.cut();
                  await bar(page, 'bad', 'The monitor itself: The database is not available');
                  await ownDatabase.restore();
                }),
              ),
            ),
          ),
        );
      }),
    ),
  ));
