import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { withBrowser } from '../testing/browser.js';
import { pids, withSupervisor } from '../testing/spawned-supervisor.js';
import { healthy } from '../testing/state-bar.js';

const test = suite('hosts in the state bar');

test('one of two hosts that does not respond is named', () =>
  withStore((databaseUrl) =>
    withSupervisor({ env: { DATABASE_URL: databaseUrl, SVC_INSPECT: '1' } }, (supervisor) =>
      withBrowser(async ({ page }) => {
        await page.goto(`${supervisor.url}/console`);
        await healthy(page);
        const isNamed = async (): Promise<boolean> => {
          for (const pid of pids(await supervisor.status())) {
            process.kill(pid ?? 0, 'SIGSTOP');
            await page.locator('.state-bar.bad, .state-bar.lost').waitFor();
            const text = (await page.locator('.state-bar').textContent()) ?? '';
            process.kill(pid ?? 0, 'SIGCONT');
            // The page itself may come from the host that was stopped.
            if (/^1 of 2 hosts is not responding: north-[12]\./.test(text)) return true;
            await healthy(page);
          }
          return false;
        };
        await until(isNamed);
        await healthy(page);
      }),
    ),
  ));
