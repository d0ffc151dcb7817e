import * as assert from 'uvu/assert';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { consoleLink } from '../config/generated-token.js';
import { startHost } from '../host/host.js';
import { configFor } from '../testing/bakery-console.js';
import { withBrowser } from '../testing/browser.js';
import { pageFaults } from '../testing/page-faults.js';
import { gateway, Remind, smsGateway, textingShop } from '../testing/texting-shop.js';

const test = suite('panel of effects');

const generatedToken = 'made for the shop';
const secret = '+49 30 555';

test('requests are counted by state on the chart and by lane, and one is shown with its attempts, never its body', () =>
  withStore(async (databaseUrl) => {
    const other = gateway();
    other.answer = (call, to) => {
      if (to === 'slow') return new Promise((_, reject) => call.signal.addEventListener('abort', reject));
      throw new TypeError(`connection refused at attempt ${call.attempt}`);
    };
    const retries = { attempts: 3, first: 'PT0.05S' };
    const lane = ({ to }: { readonly to: string }): string => (to === 'slow' ? 'slow' : 'others');
    const dispatchers: Dispatcher[] = [];
    const definition = textingShop(smsGateway(other, { retries, lane }), (local) => dispatchers.push(local));
    const host = await startHost(definition, { ...configFor(databaseUrl, '0'), generatedToken });
    const remind = (to: string): Promise<unknown> | undefined =>
      dispatchers[0]?.localInvoke(Remind.of({ orderId: newUuid(), to, options: { key: newUuid() } }));
    const states = async (): Promise<string> =>
      JSON.stringify(
        await rowsOf(databaseUrl, `SELECT parked::int, count(*) FROM svc_timers GROUP BY 1 ORDER BY 1`),
      );
    try {
      await remind(secret);
      for (let n = 0; n < 3; n++) await remind('slow');
      await until(async () => (await states()) === '[["0","3"],["1","1"]]');
      await until(() => Promise.resolve(other.calls.filter(({ to }) => to === 'slow').length === 3));
      await withBrowser(async ({ page, errors }) => {
        await page.goto(consoleLink(host.url, generatedToken));
        await page.goto(`${host.url}/console#/effects`);
        const inState = async (state: string): Promise<string> =>
          (await page.locator(`g[data-state="${state}"] .total`).textContent()) ?? '';
        await page.locator('g[data-state="running"] .total').waitFor();
        assert.equal([await inState('running'), await inState('parked')], ['3', '1 · 1 stuck']);
        await page.getByRole('row', { name: /^sms-gateway \|slow 3 / }).waitFor();
        const [[id = ''] = []] = await rowsOf(databaseUrl, 'SELECT id FROM svc_timers WHERE parked');
        await page.getByRole('link', { name: id }).click();
        const card = page.getByRole('region', { name: `Request ${id}` });
        for (const attempt of [1, 2, 3])
          await card
            .getByRole('row', { name: new RegExp(`^${attempt} .*refused at attempt ${attempt}`) })
            .waitFor();
        assert.not.match((await page.locator('main').textContent()) ?? '', secret);
        assert.equal(await pageFaults(page, 'effects'), []);
        assert.equal(errors, []);
      });
    } finally {
      await host.stop();
    }
  }));
