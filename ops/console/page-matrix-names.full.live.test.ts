import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withConsole } from '../testing/bakery-console.js';
import { hostileBakery, hostileNames } from '../testing/hostile-bakery.js';
import { consoleFaults, otherPageFaults } from '../testing/page-faults.js';

const test = suite('pages at every width, with hostile names');

test('hostile names of commands, events, errors, customers and users are shown as they are', () =>
  withConsole(async ({ page, host, bake, show, errors, transport, oven }) => {
    page.on('dialog', () => errors.push('a name was run as a script'));
    const [markup] = hostileNames;
    [transport.refuses, oven.parks] = [markup, markup];
    for (const [index, name] of hostileNames.entries()) {
      await bake(name);
      for (const customer of [name, 'failing'])
        await post(host.url, { customer }, { path: `/hostile/${index}` });
      await post(host.url, {}, { path: `/${encodeURIComponent(name)}` });
    }
    await show('requests');
    for (const name of hostileNames) await page.locator('.requests a', { hasText: name }).first().waitFor();
    assert.equal(await consoleFaults(page, 'hostile names'), []);
    assert.equal(await otherPageFaults(page, host.url, 'hostile names'), []);
  }, hostileBakery()));
