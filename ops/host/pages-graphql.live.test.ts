import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sharedPages } from '../testing/host-pages.js';

const test = suite('the GraphQL page of a host');

const withPage = sharedPages(test);

test('/graphql shows the schema, writes a whole mutation and runs it', () =>
  withPage('/graphql', async (page) => {
    await page.getByRole('button', { name: 'createOrder' }).click();
    assert.match(await page.getByLabel('Document').inputValue(), 'mutation CreateOrder($command:');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('#answer', { hasText: '"status": "created"' }).waitFor();
    assert.match((await page.locator('#status').textContent()) ?? '', /^200 in \d+ ms$/);
    await page.locator('#types summary', { hasText: 'CreateOrderInput' }).click();
    await page.locator('#types code', { hasText: 'customerId: Uuid!' }).first().waitFor();
    await page.reload();
    assert.match(await page.getByLabel('Document').inputValue(), 'mutation CreateOrder');
    assert.is(await page.getByRole('link', { name: 'All pages' }).getAttribute('href'), './');
    // A browser that blocks its storage.
    await page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError'); } })`,
    );
    await page.reload();
    await page.getByRole('button', { name: 'createOrder' }).click();
    assert.match(await page.getByLabel('Document').inputValue(), 'mutation CreateOrder');
  }));

test('/graphql lists subscriptions, shows each result as it comes, and stops when asked', () =>
  withPage('/graphql', async (page) => {
    const status = page.locator('#status');
    const answer = page.locator('#answer');
    const create = page.getByRole('button', { name: 'createOrder' });
    await create.click();
    const order = { query: await page.getByLabel('Document').inputValue(), variables: '' };
    order.variables = await page.getByLabel('Variables, as JSON').inputValue();
    await page.locator('#subscriptions').getByRole('button', { name: 'orders', exact: true }).click();
    assert.match(
      await page.getByLabel('Document').inputValue(),
      /^subscription Orders \{\n {2}orders \{\n {4}type/,
    );
    assert.is(await page.getByLabel('Variables, as JSON').inputValue(), '');
    await page.getByRole('button', { name: 'Run' }).click();
    await answer.filter({ hasText: '"type": "ready"' }).waitFor();
    await page.evaluate(
      ({ query, variables }) =>
        fetch('graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables: JSON.parse(variables) as unknown }),
        }),
      order,
    );
    await answer.filter({ hasText: '"status": "created"' }).waitFor();
    assert.is(await status.textContent(), '2 results, following');
    await page.getByRole('button', { name: 'Stop' }).click();
    await status.filter({ hasText: '2 results, stopped' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await page.getByLabel('Document').fill('subscription { nothing }');
    await page.getByRole('button', { name: 'Run' }).click();
    await status.filter({ hasText: '1 result, complete' }).waitFor();
    await answer.filter({ hasText: '"errors"' }).waitFor();
  }));
