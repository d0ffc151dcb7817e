import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { consoleLink } from '../config/generated-token.js';
import { askToCancel, byToken, outcomeOf, statusOf, tokenOf } from '../testing/asking-agents.js';
import { withHost } from '../testing/authenticated-host.js';
import { withBrowser } from '../testing/browser.js';
import { isLive } from '../testing/signing-in.js';
import { pageFaults } from '../testing/page-faults.js';

const test = suite('panel of approvals');

test('a person sees exactly what would be carried out, and agrees or refuses as themselves', () =>
  withHost({ ...byToken, SVC_INSPECT: '1' }, async ({ url }) => {
    const [first, second] = [await askToCancel(url), await askToCancel(url)];
    await withBrowser(async ({ page, errors }) => {
      await page.goto(consoleLink(url, tokenOf('grace', ['orders:approve', 'svc:observe'])));
      await isLive(page);
      await page.goto(`${url}/console#/approvals`);
      const cards = page.getByRole('region', { name: /^CancelOrder / });
      await until(async () => (await cards.count()) === 2);
      assert.equal(JSON.parse((await cards.first().locator('pre').textContent()) ?? ''), first.arguments);
      await cards.first().getByText(first.fingerprint.slice(0, 16)).waitFor();
      assert.equal(await pageFaults(page, 'approvals'), []);
      await cards.first().getByRole('button', { name: 'Agree to CancelOrder' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Note for the agent').fill('fine');
      await dialog.getByRole('button', { name: 'Agree' }).click();
      await until(async () => (await cards.count()) === 1);
      assert.equal(
        [(await outcomeOf(url, first.approvalId)).status, await statusOf(url, second.orderId)],
        ['done', 'created'],
      );
      await cards.first().getByRole('button', { name: 'Refuse CancelOrder' }).click();
      await dialog.getByLabel('Note for the agent').fill('call them');
      await dialog.getByRole('button', { name: 'Refuse' }).click();
      await page.getByText('Nothing waits for you.').waitFor();
      const { status, note } = await outcomeOf(url, second.approvalId);
      assert.equal([status, note], ['refused', 'call them']);
      assert.equal(
        errors.filter((text) => !/Failed to load resource.*401/.test(text)),
        [],
      );
    });
  }));
