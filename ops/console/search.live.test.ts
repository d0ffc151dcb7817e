import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { send } from '../../endpoints/testing/http-client.js';
import { accessibilityFaults } from '../testing/browser.js';
import { until } from '../../runtime/kit/until.js';
import { withConsole } from '../testing/bakery-console.js';

const test = suite('search in the console');

/** The hints in fields that are too narrow for them. */
const cutHints = `[...document.querySelectorAll('input[placeholder]')].flatMap((input) => {
  const before = input.value;
  input.value = input.placeholder;
  const isCut = input.scrollWidth > input.clientWidth;
  input.value = before;
  return isCut ? [input.placeholder] : [];
})`;

test('hints of fields are not cut off, facets narrow the audit, and machines show their states', () =>
  withConsole(async ({ page, bake, show, host }) => {
    await bake('Ada');
    await bake('Grace', 'before');
    await show('system');
    await page.getByRole('button', { name: /^type EventAudited 1$/ }).click();
    await until(async () => (await page.locator('main tbody tr').count()) === 1);
    assert.match(page.url(), /type=EventAudited/);
    assert.equal(await accessibilityFaults(page), []);
    assert.equal(await page.evaluate(cutHints), []);

    await show('requests');
    assert.equal(await page.evaluate(cutHints), []);

    await page.goto(`${host.url}/inspect`);
    await page.getByText('attached', { exact: true }).waitFor();
    assert.match(page.url(), /console#\/machines$/);
    await bake('Alan');
    await page.getByRole('cell', { name: 'completed', exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'follower' }).click();
    await page.locator('.state.here[data-state=waiting]', { hasText: 'breads' }).waitFor();
    assert.is((await send(host.url, { method: 'GET', path: '/inspect' })).status, 426);
  }));
