import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { askVersions, startVersionLoad } from '../../testing/version-load.js';
import { versionedOrders } from '../../testing/versioned-orders.js';
import { shareOfNew, untilReady, withDeployedOrders } from '../../testing/deployed-orders.js';

const test = suite('haproxy driver');

test('two versions of the example behind a real HAProxy: weights, x-canary, switch, drain, restart, rollback', () =>
  withDeployedOrders(async ({ haproxy, driver, signal, start }) => {
    const { url } = haproxy;
    assert.equal(await driver.revisions(signal), { current: undefined, known: [] });
    const first = await start('1.0.0', 1);
    await first.setWeights(100, signal);
    assert.is((await driver.revisions(signal)).current, '1.0.0');
    const target = await start('2.0.0', 1);
    const before = await target.observe(signal);
    assert.equal(
      [before.old.revision, before.old.ready, before.new.revision, before.new.ready, before.toNew],
      ['1.0.0', 1, '2.0.0', 1, 0],
    );
    const all = startVersionLoad(url, { clients: 2, pauseMs: 40 });

    for (const toNew of [10, 50]) {
      await target.setWeights(toNew, signal);
      assert.is((await target.observe(signal)).toNew, toNew);
      const share = await shareOfNew(target, url, 800);
      assert.ok(Math.abs(share - toNew) <= 2, `${share} % instead of ${toNew} %`);
    }
    await target.setWeights(0, signal);
    await target.force(true, signal);
    await target.force(true, signal);
    const always = await askVersions(url, 100, { 'x-canary': 'always' });
    assert.equal([...always.answers], [['2.0.0', 100]]);
    await target.switch('new', signal);
    assert.equal(await driver.revisions(signal), { current: '2.0.0', known: ['2.0.0', '1.0.0'] });
    const never = await askVersions(url, 100, { 'x-canary': 'Never' });
    assert.equal([...never.answers], [['1.0.0', 100]]);
    assert.equal([...(await askVersions(url, 50, { 'x-canary': 'maybe' })).answers], [['2.0.0', 50]]);
    await target.drain('old', signal);
    await target.drain('old', signal);
    assert.equal([...(await askVersions(url, 50, { 'x-canary': 'never' })).answers], [['2.0.0', 50]]);
    await target.scale('old', 0, signal);
    await untilReady(target, 'old', 0);

    const back = await driver.prepare('1.0.0', undefined, signal);
    await back.scale('new', 1, signal);
    await back.scale('new', 1, signal);
    await untilReady(back, 'new', 1);
    await back.switch('new', signal);
    await all.more(50);
    await all.stop();
    assert.equal([...all.failures], [], 'no request fails');

    const report = await back.observe(signal);
    await haproxy.stop();
    assert.match(
      await back.observe(signal).then(
        () => 'observed',
        (error: unknown) => (error as Error).message,
      ),
      /^HAProxy cannot be reached at \S+: HAProxy is not running; compare "socket" in deploy\.json with [^\n]+$/,
    );
    await haproxy.start();
    const state = await haproxy.command('show servers state orders');
    assert.match(state, / blue \S+ \d+ \d+ 100 [^]* green \S+ \d+ \d+ 0 /, 'the weights are kept');
    await untilReady(back, 'new', 1);
    const after = await back.observe(signal);
    assert.is(after.toNew, 100);
    assert.ok(after.new.requests >= report.new.requests && after.new.errors >= report.new.errors);
    assert.ok(after.old.requests >= report.old.requests, 'counters never go back');
    assert.equal([...(await askVersions(url, 50)).answers], [['1.0.0', 50]]);

    const source = await versionedOrders(haproxy.folder, '2.0.0');
    await writeFile(join(source, 'mended.txt'), '');
    await driver.prepare('2.0.0', undefined, signal);
    const copy = join(haproxy.folder, 'releases/2.0.0/app/mended.txt');
    assert.not(existsSync(copy), 'a deployment that is continued finds it as it was');
    await driver.prepare('2.0.0', source, signal);
    assert.ok(existsSync(copy), 'a build that does not serve is replaced');
    assert.is((await driver.revisions(signal)).current, '1.0.0');
  }));
