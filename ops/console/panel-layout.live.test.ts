import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { accessibilityFaults } from '../testing/browser.js';
import { layoutFaults } from '../testing/layout-faults.js';
import { consolePanels } from '../testing/page-faults.js';
import { withConsole } from '../testing/bakery-console.js';

const test = suite('layout of the console');

test('the tabs are one row at every width, and an address without a page says so', () =>
  withConsole(async ({ page, host }) => {
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const heightOf = async (part: string): Promise<number> =>
        (await page.locator(part).boundingBox())?.height ?? 0;
      assert.ok((await heightOf('.top nav')) < 50, `the tabs at ${width}`);
      assert.ok((await heightOf('.top')) < 110, `the header at ${width}`);
    }
    await page.goto(`${host.url}/console#/nonsense/x`);
    await page.getByText("There is no page 'nonsense'").waitFor();
    assert.is(await page.locator('.top nav [aria-current]').count(), 0);
  }));

test('light and dark, every panel is accessible, whole at each width, and requests no other server', () =>
  withConsole(async ({ page, bake, show, host, asked }) => {
    for (const mishap of ['', 'before', 'dispatching', 'rescued', 'after'] as const) {
      await bake('Oscar', mishap);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      for (const panel of consolePanels) {
        await show(panel);
        if (panel === 'lifecycle') await page.locator('.requests a').first().click();
        if (panel === 'system') await page.locator('tbody a').first().click();
        await page
          .getByText(/^Loading/)
          .first()
          .waitFor({ state: 'hidden' });
        for (const width of [390, 1024, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          assert.equal(await layoutFaults(page), [], `${panel} ${colorScheme} ${width}`);
        }
        assert.equal(await accessibilityFaults(page), [], `${panel} ${colorScheme}`);
      }
    }
    const foreign = asked.filter((url) => !url.startsWith(host.url) && !url.startsWith('data:'));
    assert.equal(foreign, []);
  }));
