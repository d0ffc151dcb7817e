import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { createOrder } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';
import { bar, healthy } from '../testing/state-bar.js';

const test = suite('faults in the state bar');

test('each fault of one host is the sentence on top of its page, and goes with the fault', () =>
  withNatsServer((nats) =>
    withStore((databaseUrl) =>
      withProxy(databaseUrl, (database) =>
        withOrders({ DATABASE_URL: database.url, NATS_URL: nats.url, SVC_INSPECT: '1' }, (host) =>
          withBrowser(async ({ page }) => {
            await page.goto(`${host.url}/console`);
            await healthy(page);
            await nats.stop();
            await bar(page, 'bad', 'The message broker is not available');
            await nats.start();
            await healthy(page);
            database.silence();
            await bar(page, 'bad', 'The database is not available');
            const asked = createOrder(host.url).catch(() => undefined);
            await page.locator('.requests a[data-outcome="running"]').first().waitFor();
            assert.equal(await accessibilityFaults(page), []);
            database.resume();
            await asked;
            await healthy(page);
            await database.cut();
            await bar(page, 'bad', 'The database is not available');
            await database.restore();
            await healthy(page);
            process.kill(host.pid, 'SIGSTOP');
            await bar(page, 'lost', 'nothing below is current');
            process.kill(host.pid, 'SIGCONT');
            await healthy(page);
            await page.goto(`${host.url}/console#/health`);
            await page.getByRole('heading', { name: 'svc_relational_db' }).waitFor();
            await host.kill('SIGKILL');
            await bar(page, 'lost', 'The connection to the host is lost');
            await page.locator('html[data-stale="true"]').waitFor();
            const ages = () => page.locator('.check .since').allTextContents();
            const before = await ages();
            // The page tries to connect again every 1.5 s; its clock ticks every second.
            for (let tries = 0; tries < 2; tries++) await page.waitForRequest(() => true);
            assert.equal(await ages(), before, 'nothing grows older on a page without a host');
            assert.equal(await accessibilityFaults(page), []);
          }),
        ),
      ),
    ),
  ));
