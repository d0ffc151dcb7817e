import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { post } from '../../endpoints/testing/http-client.js';
import { printToStderr } from '../terminal/print.js';
import { type Browsed, withBrowser } from '../testing/browser.js';
import { anOrder, createOrder, orderIdIn } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';
import { repository } from './reference-pages.js';

/** The README and the first page of the site show these. */
const publicFolder = join(repository, 'docs/public');
const guideFolder = join(repository, 'docs/pictures');
/** Wide enough for the whole chart, and small enough for a README. */
const viewport = { width: 1480, height: 900 };
const watchedMs = 30_000;

/** Takes the pictures that the README and the guide show: of the orders example, under traffic. */
async function main(): Promise<void> {
  await withFolder(async (dataDir) => {
    const env = { SVC_DATA_DIR: dataDir, SVC_NAME: 'orders-1' };
    try {
      await withOrders(env, ({ url }) => whileUsed(url, () => take(url)));
    } finally {
      await removeHome(dataDir);
    }
  });
}

type Page = Browsed['page'];

/** One page shows them all: a second browser would take time from the host. */
const take = (url: string): Promise<void> =>
  withBrowser(
    async ({ page }) => {
      page.setDefaultTimeout(60_000);
      await page.goto(`${url}/console#/requests`);
      await page.locator('.state .times').first().waitFor();
      await delay(watchedMs);
      await page.getByRole('button', { name: 'Pause the list' }).click();
      await page.locator('.requests a[data-outcome=recovered]').first().click();
      await page.locator('main .pair').waitFor();
      await page.locator('.requests a').first().scrollIntoViewIfNeeded();
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await save(page, join(publicFolder, `console-${colorScheme}.png`));
      }
      for (const stop of tour) await visit(page, url, stop);
    },
    { viewport, deviceScaleFactor: 0.85, colorScheme: 'light', reducedMotion: 'reduce' },
  );

/** A picture of the guide: where it is, and what must be there before it is taken. */
interface Stop {
  readonly name: string;
  readonly path: string;
  readonly shows: string;
  readonly open?: string;
}

const tour: readonly Stop[] = [
  { name: 'landing', path: '/', shows: 'main table' },
  { name: 'console-requests', path: '/console#/requests', shows: '.state .times' },
  {
    name: 'console-failure',
    path: '/console#/requests?q=error:order-closed',
    shows: 'main .pair',
    open: '.requests:has-text("found among") a:has-text("order-closed")',
  },
  { name: 'console-stream', path: '/console#/stream', shows: '.pair.event', open: '.streams li a' },
  { name: 'console-map', path: '/console#/map', shows: 'main svg text' },
  {
    name: 'console-system',
    path: '/console#/system?type=EventAudited',
    shows: '.facets button[aria-pressed=true]',
    open: 'main tbody a',
  },
  { name: 'console-machines', path: '/console#/machines/follower', shows: 'main .state' },
  { name: 'console-perspectives', path: '/console#/perspectives', shows: 'main table td' },
  { name: 'console-processes', path: '/console#/processes', shows: 'main .state .total:not(:empty)' },
  {
    name: 'console-process',
    path: '/console#/processes',
    shows: 'main .state.here',
    open: 'main tbody a[href^="#/processes/"]',
  },
  { name: 'console-health', path: '/console#/health', shows: 'main li, main td' },
  { name: 'docs-page', path: '/docs', shows: '.try pre' },
];

async function visit(page: Page, url: string, { name, path, shows, open }: Stop): Promise<void> {
  // A new fragment alone would not reload the page.
  await page.goto('about:blank');
  await page.goto(url + path);
  if (open !== undefined) await page.locator(open).first().click();
  await page.locator(shows).first().waitFor();
  await save(page, join(guideFolder, `${name}.png`));
}

async function save(page: Page, path: string): Promise<void> {
  // On a loaded machine the event loop is late for a while, and the bar says so.
  if (page.url().includes('/console'))
    await page
      .getByText(/checks are healthy/)
      .waitFor()
      .catch(() => undefined);
  await page.screenshot({ path });
  printToStderr(`${path}\n`);
}

/** Orders are created, cancelled and shipped while the body runs; some requests fail. */
async function whileUsed(url: string, body: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const clients = [1, 2, 3, 4].map((client) => useRepeatedly(url, client, over.signal));
  await body().finally(() => over.abort());
  await Promise.all(clients);
}

async function useRepeatedly(url: string, client: number, over: AbortSignal): Promise<void> {
  for (let turn = client; !over.aborted; turn++) {
    // When the host is gone, the error of the body says more.
    await useOnce(url, turn).catch(() => undefined);
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
