import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withConsole } from '../testing/bakery-console.js';
import type { Mishap } from '../testing/failing-bakery.js';

const test = suite('the path of a request in the console');

const ends: readonly (readonly [Mishap | 'abandoned', string, readonly string[]])[] = [
  ['mapping', 'failed', ['checking', 'failed', 'mapping']],
  ['before', 'failed', ['before', 'checking', 'failed', 'mapping']],
  ['dispatching', 'failed', ['before', 'checking', 'dispatching', 'failed', 'mapping', 'recovering']],
  ['recovering', 'failed', ['before', 'checking', 'dispatching', 'failed', 'mapping', 'recovering']],
  ['rescued', 'recovered', ['before', 'checking', 'dispatching', 'mapping', 'recovered', 'recovering']],
  ['after', 'failed', ['after', 'before', 'checking', 'dispatching', 'failed', 'mapping']],
  ['', 'completed', ['after', 'before', 'checking', 'completed', 'dispatching', 'mapping']],
  ['abandoned', 'cancelled', ['cancelled', 'checking']],
];

test('a request that fails in any state is shown with its path to the right final state', () =>
  withConsole(async ({ page, bake, abandon }) => {
    // One that takes long is listed while it runs.
    const ended = page.locator('.requests a:not([data-outcome="running"])');
    await bake('Ada');
    await ended.first().waitFor();
    for (const [mishap, outcome, states] of ends) {
      const before = await ended.count();
      if (mishap === 'abandoned') await abandon();
      else await bake('Ada', mishap);
      await ended.nth(before).waitFor();
      const newest = ended.first();
      assert.is(await newest.getAttribute('data-outcome'), outcome, mishap);
      await newest.click();
      await page.getByRole('region', { name: 'Request', exact: true }).getByText(outcome).waitFor();
      if ((await page.locator('details.path[open]').count()) === 0)
        await page.getByText('Path through the lifecycle').click();
      await page.locator(`.state.passed[data-state="${outcome}"]`).waitFor();
      const passed = await page
        .locator('.state.passed')
        .evaluateAll((all) => all.map((state) => state.getAttribute('data-state') ?? ''));
      assert.equal(new Set(passed), new Set(states), mishap);
      await page.getByRole('button', { name: 'Show all' }).click();
    }
  }));
