import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sharedConsole } from '../testing/bakery-console.js';
import { mustBeWhole } from '../testing/panel-layout.js';

const test = suite('layout of the console');

const shared = sharedConsole(test);

test('the tabs are one row at every width, and an address without a page says so', () =>
  shared(async ({ page, host }) => {
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const heightOf = async (part: string): Promise<number> =>
        (await page.locator(part).boundingBox())?.height ?? 0;
      for (const row of ['.groups', '.panels'])
        assert.ok((await heightOf(`.top ${row}`)) < 50, `${row} at ${width}`);
      assert.ok((await heightOf('.top')) < 110, `the header at ${width}`);
    }
    await page.goto(`${host.url}/console#/nonsense/x`);
    await page.getByText("There is no page 'nonsense'").waitFor();
    assert.is(await page.locator('.top nav [aria-current]').count(), 0);
  }));

test('in light colors, every panel is accessible, whole at each width, and requests no other server', () =>
  shared((seen) => mustBeWhole(seen, 'light')));

test('the buttons of a row are in sight at every width', () =>
  shared(async ({ page, bake, show }) => {
    await bake('Parker');
    for (const panel of ['flags', 'perspectives', 'stuck']) {
      await show(panel);
      const buttons = page.locator('.row-actions button');
      await buttons.first().waitFor();
      for (const width of [390, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        for (const button of await buttons.all()) {
          const box = await button.boundingBox();
          assert.ok(box && box.x > 0 && box.x + box.width < width, `${panel} at ${width}`);
        }
      }
    }
  }));
