import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { correlationIn } from '../../endpoints/http/correlation.js';
import type { Inspection } from '../../endpoints/inspection/inspection.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withConsole } from '../testing/bakery-console.js';
import { consoleFaults } from '../testing/page-faults.js';

const test = suite('pages at every width, with many requests');

const refusal = (): Parameters<Inspection['addUnstarted']>[0] => ({
  correlation: correlationIn({}),
  command: 'POST /bun',
  transport: 'rest',
  status: 422,
  problem: new Problem('invalid-command'),
});

test('100,000 requests are recorded, and one that no host remembers is found in three interactions', () =>
  withConsole(async ({ page, host, bakeMany, show }) => {
    const first = await post(host.url, { who: 'Ada' }, { path: '/bun' });
    const correlationId = String(first.headers['x-correlation-id']);
    await bakeMany(599);
    for (let n = 0; n < 99_400; n++) host.inspection.addUnstarted(refusal());
    await show('requests');
    await page.getByText(/^The newest \d+ of 100K since the start\.$/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.insertText(correlationId);
    await page.locator('.requests').getByRole('link', { name: 'Rebuild it from the audit' }).click();
    await page.getByText('No host remembers this request').waitFor();
    await page.locator('#search').fill('');
    assert.equal(await consoleFaults(page, '100,000 requests'), []);
  }));
