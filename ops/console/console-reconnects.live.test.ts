import { suite } from '../../contracts/testing/suite.js';
import { startHost } from '../host/host.js';
import { configFor, withConsole } from '../testing/bakery-console.js';

const test = suite('a page that outlives its host');

test('a page outlives its host and continues with the next one', () =>
  withConsole(async ({ page, errors, bake, host, definition, databaseUrl }) => {
    await bake('before');
    await page.locator('.requests li:nth-child(1)').waitFor();
    await host.stop();
    await page.getByText('reconnecting').waitFor();
    const next = await startHost(definition, configFor(databaseUrl, new URL(host.url).port));
    try {
      await page.getByText('live', { exact: true }).waitFor();
      await bake('after');
      await page.locator('.requests li:nth-child(2)').waitFor();
    } finally {
      await next.stop();
    }
    // The browser reports the failed connections while the host was down.
    errors.splice(0);
  }));
