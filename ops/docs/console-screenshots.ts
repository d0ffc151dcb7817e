import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { withFolder } from '../../runtime/testing/temporary-folder.js';
import { post } from '../../endpoints/testing/http-client.js';
import { printToStderr } from '../print.js';
import { withBrowser } from '../testing/browser.js';
import { anOrder, createOrder, orderIdIn } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';
import { repository } from './reference-pages.js';

const folder = join(repository, 'docs/public');
/** Wide enough for the whole chart, and small enough for a README. */
const viewport = { width: 1480, height: 900 };
const watchedMs = 30_000;

/** Takes the pictures of the console that the README shows: of the orders example, under traffic. */
async function main(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await withFolder(async (dataDir) => {
    const env = { SVC_DATA_DIR: dataDir, SVC_NAME: 'orders-1' };
    try {
      await withOrders(env, ({ url }) => whileUsed(url, () => take(url)));
    } finally {
      await removeHome(dataDir);
    }
  });
}

/** One page shows both: a second browser would take time from the host. */
const take = (url: string): Promise<void> =>
  withBrowser(
    async ({ page }) => {
      await page.goto(`${url}/console#/lifecycle`);
      await page.locator('.state .times').first().waitFor();
      await delay(watchedMs);
      await page.getByRole('button', { name: 'Pause the list' }).click();
      await page.locator('.requests a[data-outcome=recovered]').first().click();
      await page.locator('main .pair').waitFor();
      await page.locator('.requests a').first().scrollIntoViewIfNeeded();
      await page.getByText(/checks healthy/).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const path = join(folder, `console-${colorScheme}.png`);
        await page.screenshot({ path });
        printToStderr(`${path}\n`);
      }
    },
    { viewport, deviceScaleFactor: 0.85, colorScheme: 'light', reducedMotion: 'reduce' },
  );

/** Orders are created, cancelled and shipped while the body runs; some requests fail. */
async function whileUsed(url: string, body: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const clients = [1, 2, 3, 4].map((client) => useRepeatedly(url, client, over.signal));
  await body().finally(() => over.abort());
  await Promise.all(clients);
}

async function useRepeatedly(url: string, client: number, over: AbortSignal): Promise<void> {
  for (let turn = client; !over.aborted; turn++) {
    await useOnce(url, turn);
    await delay(20 + ((turn * 37) % 60));
  }
}

async function useOnce(url: string, turn: number): Promise<void> {
  const orderId = orderIdIn(await createOrder(url));
  if (turn % 3 === 0) await post(url, { orderId, why: 'changed my mind' }, { path: '/orders/cancel' });
  else await post(url, { orderId, carrier: turn % 7 === 0 ? 'down' : 'pigeon' }, { path: '/orders/ship' });
  if (turn % 9 === 0) await post(url, { orderId }, { path: '/orders/cancel' });
  if (turn % 11 === 0) await post(url, { ...anOrder, lineItems: [] }, { path: '/orders' });
}

await main();
