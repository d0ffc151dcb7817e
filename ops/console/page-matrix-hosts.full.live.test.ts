import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { withBrowser } from '../testing/browser.js';
import { createOrder } from '../testing/order-load.js';
import { consoleFaults, otherPageFaults } from '../testing/page-faults.js';
import { withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('pages of two hosts at every width');

test('two hosts are shown whole and accessible', () =>
  withStore((databaseUrl) =>
    withSupervisor({ env: { DATABASE_URL: databaseUrl, SVC_INSPECT: '1' } }, ({ url }) =>
      withBrowser(async ({ page, errors }) => {
        await page.goto(`${url}/console`);
        const taken = (host: string) => page.locator('.requests li', { hasText: host }).count();
        await until(async () => {
          await createOrder(url);
          return (await taken('north-1')) > 0 && (await taken('north-2')) > 0;
        });
        assert.equal(await consoleFaults(page, 'two hosts'), []);
        assert.equal(await otherPageFaults(page, url, 'two hosts'), []);
        assert.equal(errors, []);
      }),
    ),
  ));
