import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityFaults } from './browser.js';
import type { BakeryConsole } from './bakery-console.js';
import { layoutFaults } from './layout-faults.js';
import { consolePanels } from './page-faults.js';

/** Expects every panel to be accessible and whole at each width, and the page to ask only its host. */
export async function mustBeWhole(
  { page, bake, show, host, asked }: BakeryConsole,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  for (const mishap of ['', 'before', 'dispatching', 'rescued', 'after'] as const) {
    await bake('Oscar', mishap);
  }
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
  for (const panel of consolePanels) {
    await show(panel);
    await openFirst(page, panel);
    await page
      .getByText(/^Loading/)
      .first()
      .waitFor({ state: 'hidden' });
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await layoutFaults(page), [], `${panel} ${width}`);
    }
    assert.equal(await accessibilityFaults(page), [], panel);
  }
  const foreign = asked.filter((url) => !url.startsWith(host.url) && !url.startsWith('data:'));
  assert.equal(foreign, []);
}

async function openFirst(page: Page, panel: string): Promise<void> {
  if (panel === 'requests') await page.locator('.requests a').first().click();
  if (panel === 'system') await page.locator('tbody a').first().click();
}
