import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import type { Host } from '../host/host.js';
import { type BroadcastingHost, withBroadcastingHost } from '../testing/broadcasting-host.js';
import { accessibilityFaults, withBrowser } from '../testing/browser.js';
import { withMonitor } from '../testing/running-monitor.js';

const test = suite('page of the monitor');

interface Seen {
  readonly page: Page;
  readonly monitor: Host;
  readonly north: BroadcastingHost;
  readonly south: BroadcastingHost;
}

/** Two hosts, a monitor and its page; expects no error in it. */
const withPage = (body: (seen: Seen) => Promise<void>): Promise<void> =>
  withEmptyNats((nats) =>
    withMonitor(nats, (monitor) =>
      withBroadcastingHost('north', nats, (north) =>
        withBroadcastingHost('south', nats, (south) =>
          withBrowser(async ({ page, errors }) => {
            await page.goto(`${monitor.url}/console`);
            await body({ page, monitor, north, south });
            assert.equal(errors, []);
          }),
        ),
      ),
    ),
  );

const rows = (page: Page, card: string) => page.getByRole('region', { name: card }).locator('tbody tr');

test('it shows both hosts, their health, their migrations and their failures', () =>
  withPage(async ({ page, south }) => {
    await rows(page, 'Hosts').filter({ hasText: 'north' }).filter({ hasText: 'Healthy' }).waitFor();
    await rows(page, 'Hosts').filter({ hasText: 'south' }).filter({ hasText: 'orders' }).waitFor();
    const migrations = rows(page, 'Rebuilds and migrations').filter({ hasText: 'south' });
    await migrations.filter({ hasText: 'completed' }).getByRole('progressbar').waitFor();
    await south.fail();
    await rows(page, 'Failures').filter({ hasText: 'CommandFailed' }).first().waitFor();
    assert.match((await rows(page, 'Failures').first().textContent()) ?? '', /^south.*ShipOrder/);
    await mkdir(join(tmpdir(), 'svc-console'), { recursive: true });
    await page.screenshot({ path: join(tmpdir(), 'svc-console', 'monitor.png') });
    assert.equal(await accessibilityFaults(page), []);
  }));

test('the records of all hosts are searched, verified and read together, or those of one host', () =>
  withPage(async ({ page, north, south }) => {
    await north.order({ 'x-correlation-id': 'monday' });
    await south.order({ 'x-correlation-id': 'tuesday' });
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    const stream = rows(page, 'System stream');
    await stream.filter({ hasText: 'north' }).filter({ hasText: 'CommandAudited' }).waitFor();
    await stream.filter({ hasText: 'south' }).filter({ hasText: 'CommandAudited' }).waitFor();
    await page.getByLabel('correlation').fill('tuesday');
    await page.getByRole('button', { name: 'Filter' }).click();
    // The audits of the command and of its event.
    await until(async () => (await stream.count()) === 2);
    await page.getByRole('button', { name: 'Verify chain' }).click();
    await page.getByText(/^All 2 chains intact · \d+ records$/).waitFor();
    await stream.first().getByRole('link').click();
    await page
      .getByRole('region', { name: /Audited$/ })
      .getByText('"tuesday"')
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await until(async () => (await stream.count()) > 2);
    await page.getByLabel('Host', { exact: true }).selectOption('north');
    await until(async () => (await stream.filter({ hasText: 'CommandAudited' }).count()) === 1);
    await page.getByRole('button', { name: 'Verify chain' }).click();
    await page.getByText(/^Chain intact · \d+ records/).waitFor();
    await page.getByRole('link', { name: 'Host', exact: true }).click();
    await page.getByRole('heading', { name: 'svc_relational_db' }).waitFor();
    assert.equal(await page.locator('nav a').allTextContents(), ['Data', 'Host', 'Health']);
  }));
