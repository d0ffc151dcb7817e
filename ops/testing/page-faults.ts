import type { Page } from 'playwright-core';
import { accessibilityFaults } from './browser.js';
import { layoutFaults } from './layout-faults.js';

/** A telephone, a small laptop and a desktop. */
const widths = [390, 1024, 1440];

/** All panels of the console of a host. */
export const consolePanels = [
  'requests',
  'map',
  'stream',
  'system',
  'perspectives',
  'processes',
  'approvals',
  'reactions',
  'effects',
  'stuck',
  'outbox',
  'actors',
  'machines',
  'health',
  'flags',
  'deployments',
  'api',
];

/** The first item of a panel that shows more about it. */
const firstItem = '.requests a, .streams a, tbody a[href^="#/"]';

/** What is wrong with the panels of an open console, each with its first item open. */
export async function consoleFaults(page: Page, what: string): Promise<string[]> {
  const faults: string[] = [];
  for (const panel of consolePanels) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate(`location.hash = '#/${panel}'`);
    await page.locator(`main.panel-${panel}`).waitFor();
    await page
      .getByText(/^Loading/)
      .first()
      .waitFor({ state: 'hidden' });
    const first = page.locator('main').locator(firstItem).first();
    if (panel !== 'api' && (await first.count()) > 0) await first.click();
    faults.push(...(await pageFaults(page, `${panel}, ${what}`)));
  }
  return faults;
}

/** The pages of a host beside its console. */
const otherPages = ['/', '/docs', '/graphql', '/inspect'];

/** What is wrong with the other pages of a host. */
export async function otherPageFaults(page: Page, url: string, what: string): Promise<string[]> {
  const faults: string[] = [];
  for (const path of otherPages) {
    await page.goto(url + path);
    faults.push(...(await pageFaults(page, `${path}, ${what}`)));
  }
  return faults;
}

/** What a user of the open page cannot read or reach at any width, in light or dark colors. */
export async function pageFaults(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const found = [...(await layoutFaults(page)), ...(await accessibilityFaults(page))];
      faults.push(...found.map((fault) => `${name}, ${colorScheme}, ${width} px: ${fault}`));
    }
  }
  return faults;
}
