import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { shareOfNew, untilReady, withDeployedOrders } from '../../testing/deployed-orders.js';
import { askVersions, startVersionLoad } from '../../testing/version-load.js';
import type { DeploymentTarget } from '../target.js';

const test = suite('strategies on haproxy');

const { signal } = new AbortController();

async function canary(target: DeploymentTarget, url: string): Promise<void> {
  await target.force(true, signal);
  for (const toNew of [10, 25, 50, 75, 100]) {
    await target.setWeights(toNew, signal);
    const share = await shareOfNew(target, url, 2_000);
    assert.ok(Math.abs(share - toNew) <= 2, `${share} % instead of ${toNew} %`);
    const always = await askVersions(url, 500, { 'x-canary': 'always' });
    const never = await askVersions(url, 500, { 'x-canary': 'never' });
    assert.equal([...always.answers], [['2.0.0', 500]]);
    assert.equal([...never.answers], [['1.0.0', 500]]);
  }
  await target.force(false, signal);
}

/** Replaces the hosts of the old revision one by one. */
async function rolling(target: DeploymentTarget, hosts: number): Promise<void> {
  for (let moved = 1; moved <= hosts; moved++) {
    await target.scale('new', moved, signal);
    await untilReady(target, 'new', moved);
    await target.setWeights(Math.round((100 * moved) / hosts), signal);
    if (moved === hosts) await target.drain('old', signal);
    await target.scale('old', hosts - moved, signal);
  }
  await untilReady(target, 'old', 0);
}

test('canary, twenty blue-green switches, rolling and rollback: no request of at least 20,000 fails', () =>
  withDeployedOrders(async ({ haproxy: { url }, driver, start }) => {
    await (await start('1.0.0', 2)).setWeights(100, signal);
    const all = startVersionLoad(url, { clients: 6, pauseMs: 1 });
    const second = await start('2.0.0', 2);
    await canary(second, url);
    for (let n = 0; n < 20; n++) {
      await second.switch(n % 2 === 0 ? 'old' : 'new', signal);
      await all.more(200);
    }
    await second.drain('old', signal);
    await second.scale('old', 0, signal);
    await untilReady(second, 'old', 0);

    const third = await start('3.0.0', 1);
    await rolling(third, 2);
    assert.is((await driver.revisions(signal)).current, '3.0.0');
    await rolling(await driver.prepare('1.0.0', undefined, signal), 2);
    assert.equal(await driver.revisions(signal), { current: '1.0.0', known: ['3.0.0', '2.0.0', '1.0.0'] });
    assert.equal([...(await askVersions(url, 100)).answers], [['1.0.0', 100]]);

    const ended = (): number => [...all.answers.values()].reduce((sum, count) => sum + count, 0);
    await all.more(Math.max(0, 20_000 - ended()));
    await all.stop();
    assert.equal([...all.failures], []);
    assert.ok(ended() >= 20_000, `${ended()} requests`);
  }));
