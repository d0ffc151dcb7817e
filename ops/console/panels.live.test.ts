import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { accessibilityFaults } from '../testing/browser.js';
import { cliEditor } from '../cli/access-editor.js';
import { defaultOptions } from '../deploy/default-options.js';
import { DeploymentStore } from '../deploy/deployment-store.js';
import { postgresJournal } from '../deploy/postgres-journal.js';
import { deploymentOf } from '../deploy/testing/in-memory-journal.js';
import { newUuid } from '../../contracts/uuid.js';
import { openDatabase } from '../../runtime/database/database.js';
import { sharedConsole } from '../testing/bakery-console.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('panels of the console');

const inConsole = sharedConsole(test);

const rows = (page: Page) => page.locator('main tbody tr');

test('the system stream grows as it is watched, can be filtered, read and verified', () =>
  inConsole(async ({ page, bake, show }) => {
    await bake('Ada');
    await show('system');
    await page.getByRole('cell', { name: 'CommandAudited' }).first().waitFor();
    const before = await rows(page).count();
    await bake('Grace');
    await until(async () => (await rows(page).count()) > before);
    await page.getByLabel('type').fill('EventAudited');
    await page.getByRole('button', { name: 'Filter' }).click();
    await until(async () => (await page.getByRole('cell', { name: 'CommandAudited' }).count()) === 0);
    assert.is(await rows(page).count(), 2);
    await rows(page).first().getByRole('link').first().click();
    await page.getByText('"originalEventType": "BreadBaked"').waitFor();
    await page.getByRole('button', { name: 'Verify chain' }).click();
    await page.getByText(/Chain intact · \d+ records/).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await until(async () => (await rows(page).count()) > 2);
    await page
      .getByRole('button', { name: /^Show correlation/ })
      .first()
      .click();
    await until(async () => (await page.getByRole('cell', { name: 'CommandAudited' }).count()) === 1);
    assert.is(await rows(page).count(), 2);
  }));

test('the text of a state in the chart stays within its box', () =>
  inConsole(async ({ page, bake }) => {
    for (const customer of ['Ada', 'Grace', 'Alan']) await bake(customer);
    await page.locator('.state .times').first().waitFor();
    const beyond = await page.locator('.state').evaluateAll((states) =>
      states.flatMap((state) => {
        const box = state.querySelector('rect')?.getBoundingClientRect();
        // The badge of requests in flight sits on the corner.
        return [...state.querySelectorAll(':scope > text')]
          .filter((text) => {
            const { left, right, width } = text.getBoundingClientRect();
            return width > 0 && box !== undefined && (left < box.left + 2 || right > box.right - 2);
          })
          .map((text) => text.textContent);
      }),
    );
    assert.equal(beyond, []);
  }));

test('the label of an edge in the chart lies beside the states, whatever its letters', () =>
  inConsole(async ({ page }) => {
    await page.locator('.state').first().waitFor();
    const covered = await page.locator('.statechart').evaluate((chart) => {
      const boxes = [...chart.querySelectorAll('.state > rect:first-of-type')];
      return [...chart.querySelectorAll('.edge text')].flatMap((text) => {
        const label = text.getBoundingClientRect();
        const isCovered = boxes.some((box) => {
          const { left, right, top, bottom } = box.getBoundingClientRect();
          return label.left < right && label.right > left && label.top < bottom && label.bottom > top;
        });
        return isCovered ? [text.textContent] : [];
      });
    });
    assert.equal(covered, []);
  }));

test('perspectives show their progress', () =>
  inConsole(async ({ page, bake, show }) => {
    await bake('Alan');
    await show('perspectives');
    const row = page.getByRole('row', { name: /^breads live/ });
    await row.waitFor();
    await row.getByRole('progressbar').waitFor();
    await until(async () => /^[1-9]/.test((await row.getByRole('cell').nth(1).textContent()) ?? ''));
  }));

test('the rows of a perspective are browsed by key, and lead to their streams', () =>
  inConsole(async ({ page, bake, show }) => {
    for (const customer of ['Ada', 'Grace']) await bake(customer);
    await show('perspectives');
    await page.getByRole('link', { name: 'breads' }).click();
    const card = page.getByRole('region', { name: 'Rows of breads' });
    await until(async () => (await card.locator('tbody tr').count()) >= 2);
    const first = card.locator('tbody tr').first();
    const key = (await first.getByRole('rowheader').textContent()) ?? '';
    await first.locator('summary').click();
    await first.locator('pre').waitFor();
    assert.equal(await accessibilityFaults(page), []);
    await card.getByLabel('Key begins with').fill(key);
    await until(async () => (await card.locator('tbody tr').count()) === 1);
    await card.getByLabel('Tenant').fill('nobody');
    await card.getByText('No rows of this tenant match.').waitFor();
  }));

test('dead letters are skipped and retried in the list of stuck work, only after a confirmation', () =>
  inConsole(async ({ page, bake, show, transport }) => {
    await bake('Oscar');
    await bake('Oscar');
    await show('outbox');
    await page.getByRole('link', { name: 'Repair 2' }).click();
    const entries = page.getByRole('region', { name: 'Entries' });
    const letters = entries.getByRole('row', { name: /parked/ });
    await until(async () => (await letters.count()) === 2);
    await letters.getByRole('button', { name: 'Skip' }).last().click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.is(await letters.count(), 2);
    await letters.getByRole('button', { name: 'Skip' }).last().click();
    await page.getByLabel('Reason').fill('nobody wants it');
    await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click();
    await until(async () => (await letters.count()) === 1);
    transport.refuses = undefined;
    await letters.getByRole('button', { name: 'Retry' }).click();
    await page.getByLabel('Reason').fill('the broker takes it now');
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await entries.waitFor({ state: 'detached' });
    await show('outbox');
    await page.getByText('No dead letters.').waitFor();
    transport.refuses = 'Oscar';
  }));

test('a flag is turned on and off with a reason, and shows who did it', () =>
  inConsole(async ({ page, show }) => {
    await show('flags');
    await page.getByRole('row', { name: /^fancy off everyone/ }).waitFor();
    await page.getByRole('button', { name: 'Turn on fancy' }).click();
    await page.getByLabel('Reason').fill('released today');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('row', { name: /^fancy on everyone operator-token .* released today/ }).waitFor();
    await page.getByRole('button', { name: 'Turn off fancy' }).click();
    await page.getByLabel('Reason').fill('it broke');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('row', { name: /^fancy off everyone operator-token .* it broke/ }).waitFor();
    await show('system');
    await page
      .getByRole('row', { name: /FlagChanged .*fancy/ })
      .first()
      .waitFor();
  }));

test('actors, health and API show the parts of the host', () =>
  inConsole(async ({ page, show }) => {
    await show('actors');
    await page.getByRole('row', { name: /^outbox-relay running/ }).waitFor();
    await page.getByRole('row', { name: /^BakeBun handler idle .*0 \/ 1,024/ }).waitFor();
    await page.getByRole('row', { name: /^breads perspective live/ }).waitFor();
    await page.getByRole('row', { name: /^http running/ }).waitFor();
    await show('health');
    await page.getByRole('heading', { name: 'svc_relational_db' }).waitFor();
    await show('api');
    await page.getByRole('row', { name: 'POST /bun bakeBun Bakes one bun' }).waitFor();
  }));

test('a deployment is shown while it runs and when it has ended', () =>
  inConsole(async ({ page, show, databaseUrl }) => {
    const owner = openDatabase({ url: databaseUrl, applicationName: 'deploy' });
    try {
      const store = new DeploymentStore(owner, cliEditor({ name: 'ann-laptop', broadcast: false }));
      const options = { ...defaultOptions('canary'), replicas: 3, oldReplicas: 3 };
      const holder = newUuid();
      const { id } = await store.start({ ...deploymentOf('canary', options), id: newUuid() }, holder);
      const journal = postgresJournal(store, id, holder);
      await journal.reach(0, 20);
      // A busy machine may take longer than a lease lasts until it shows the page.
      await owner.rows({
        text: "UPDATE svc_deployments SET lease_expires_at = clock_timestamp() + interval '1 hour'",
      });
      await show('deployments');
      const row = page.getByRole('row', { name: /^1\.5\.0/ });
      await row
        .filter({ hasText: 'running' })
        .filter({ hasText: '20 %' })
        .filter({ hasText: 'ann' })
        .waitFor();
      assert.is(await row.getByText('no process drives it').count(), 0);
      await journal.beginRevert('4 % of its answers were errors');
      await row.filter({ hasText: 'reverting' }).filter({ hasText: '4 % of its answers' }).waitFor();
      await journal.finish('reverted');
      await row.filter({ hasText: 'reverted' }).waitFor();
      assert.equal(await accessibilityFaults(page), []);
    } finally {
      await owner.close();
    }
  }));
