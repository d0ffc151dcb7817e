import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { openDatabase } from '../../runtime/database/database.js';
import { withConsole } from '../testing/bakery-console.js';
import { bar, follow, healthy } from '../testing/state-bar.js';

const test = suite('work and failures in the state bar');

test('a running rebuild, a part that cannot be read and crashed requests are claimed', () =>
  withConsole(async ({ page, bake, show, host, databaseUrl }) => {
    // At one event per second the rebuild must not end before a busy machine has shown it.
    for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 10 }, () => bake('Ada')));
    await healthy(page);
    const cancelled = new AbortController();
    const options = { mode: RebuildMode.BlueGreen, maxRate: 1, signal: cancelled.signal };
    const rebuilt = host.service.rebuild('breads', options).catch((error: unknown) => error);
    await bar(page, 'good', /; breads is being rebuilt \(\d+ %\)\./);
    await show('machines/perspective-rebuild');
    await page.locator('.state.here[data-state=replaying]', { hasText: 'breads' }).waitFor();
    cancelled.abort();
    await rebuilt;
    await page.getByRole('region', { name: 'perspective-rebuild' }).getByText('not running').waitFor();
    await page.getByRole('link', { name: 'health-board' }).click();
    await page.locator('.state.here[data-state=watching]', { hasText: 'the health board' }).waitFor();
    await bar(page, 'good', /healthy(?!.*rebuilt)/);

    const database = openDatabase({ url: databaseUrl, applicationName: 'lock' });
    try {
      const session = await database.session();
      await session.rows({ text: 'BEGIN; LOCK TABLE svc_dead_letters IN ACCESS EXCLUSIVE MODE' });
      await bar(page, 'warn', /cannot read .*outbox|outbox cannot be read/);
      await session.rows({ text: 'ROLLBACK' });
      session.release();
    } finally {
      await database.close();
    }
    await healthy(page);

    await bake('Ada', 'crashing');
    const claim = /^1 of \d+ requests? in the last .* failed with an error of the service\./;
    // Half of all requests of the last minute are an alarm.
    await page.locator('.state-bar:is(.warn, .bad)', { hasText: claim }).waitFor();
    await follow(page);
    await page.locator('.requests a', { hasText: 'TypeError' }).waitFor();
  }));
