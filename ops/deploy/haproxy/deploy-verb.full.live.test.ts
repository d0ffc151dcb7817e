import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { type DeployedOrders, withDeployedOrders } from '../../testing/deployed-orders.js';
import { startCli, svc } from '../../testing/spawned-host.js';
import { startVersionLoad } from '../../testing/version-load.js';
import { versionedOrders } from '../../testing/versioned-orders.js';
import { serverStatsIn } from './server-stats.js';

const test = suite('svc deploy with haproxy');

const quick = ['--skip-checks', '--replicas', '1', '--stage-time', '1s', '--min-sample', '20'];

/** The arguments of `svc deploy` for a version of the example. */
async function argumentsOf(
  { haproxy }: DeployedOrders,
  strategy: string,
  version: string,
  more: readonly string[],
  failing = 0,
): Promise<string[]> {
  const file = join(haproxy.folder, 'deploy.json');
  await writeFile(file, JSON.stringify(haproxy.config));
  const app = await versionedOrders(haproxy.folder, version, failing);
  return ['deploy', strategy, app, '--config', file, ...more];
}

const deploy = async (
  deployed: DeployedOrders,
  strategy: string,
  version: string,
  more: readonly string[] = quick,
  failing = 0,
) => svc(await argumentsOf(deployed, strategy, version, more, failing), deployed.env);

const short = ['--stage-time', '1s', '--hold', '10s', '--min-sample', '1000000'];
const slow = ['--skip-checks', '--replicas', '1', '--stage-time', '5m'];

/** What HAProxy reports about the slot of the second revision. */
async function green({ haproxy }: DeployedOrders) {
  const text = await haproxy.command('show stat orders 4 -1');
  return serverStatsIn(text, 'orders').find(({ name }) => name === 'green');
}

const untilWeight = (deployed: DeployedOrders, weight: number): Promise<number> =>
  until(async () => (await green(deployed))?.weight === weight, 240_000);

test('every strategy and a rollback by the command line, with no request failed', () =>
  withDeployedOrders(async (deployed) => {
    const { haproxy, driver, signal, env } = deployed;
    const first = await deploy(deployed, 'recreate', '1.0.0');
    assert.equal([first.code, first.stderr], [0, ''], first.stdout);
    const all = startVersionLoad(haproxy.url, { clients: 4, pauseMs: 2 });
    for (const [version, strategy] of Object.entries({
      '1.1.0': 'canary',
      '1.2.0': 'blue-green',
      '1.3.0': 'rolling',
    })) {
      const { code, stdout, stderr } = await deploy(deployed, strategy, version);
      assert.equal([code, stderr], [0, ''], stdout);
      assert.is((await driver.revisions(signal)).current, version);
    }
    const config = ['--config', join(haproxy.folder, 'deploy.json')];
    const back = await svc(['deploy', 'rollback', '--to', '1.0.0', ...config, ...quick], env);
    assert.equal([back.code, back.stderr], [0, ''], back.stdout);
    await all.more(200);
    await all.stop();
    assert.equal([...all.failures], []);
    assert.ok((all.answers.get('1.0.0') ?? 0) > 0);
  }));

test('a version that fails a tenth of its requests is reverted within 3 s of its 200th canary request', () =>
  withDeployedOrders(async (deployed) => {
    const { haproxy } = deployed;
    const first = await deploy(deployed, 'recreate', '1.0.0');
    assert.is(first.code, 0, first.stderr);
    const all = startVersionLoad(haproxy.url, { clients: 8, pauseMs: 1 });
    const reverted = deploy(deployed, 'canary', '2.0.0', slow, 1);
    await until(async () => ((await green(deployed))?.requests ?? 0) >= 200, 240_000);
    const tookMs = await untilWeight(deployed, 0);
    assert.ok(tookMs <= 3_000, `${tookMs} ms`);
    const { code, stderr } = await reverted;
    assert.is(code, 1);
    assert.match(
      stderr,
      /^svc: The deployment of 2\.0\.0 was reverted to 1\.0\.0: [\d.]+ % of \d+ requests failed, more than 5 %\.\n$/,
    );
    await all.stop();
    assert.equal(
      [...all.failures.keys()].filter((failure) => !failure.startsWith('500 ')),
      [],
    );
  }));

test('after kill -9 of the command, a lost HAProxy or hosts that never start, the old revision has all requests', () =>
  withDeployedOrders(async (deployed) => {
    const { haproxy, driver, signal, env } = deployed;
    await deploy(deployed, 'recreate', '1.0.0');
    const all = startVersionLoad(haproxy.url, { clients: 2, pauseMs: 20 });

    const killed = startCli(await argumentsOf(deployed, 'canary', '2.0.0', slow), env);
    await untilWeight(deployed, 10);
    await killed.kill('SIGKILL');
    await untilWeight(deployed, 0);
    const unfinished = async () =>
      (await svc(['deploy', 'status', '--json'], env)).stdout.includes('"running"');
    await until(async () => !(await unfinished()), 240_000);
    await all.stop();
    assert.equal([...all.failures], []);
    assert.is((await driver.revisions(signal)).current, '1.0.0');

    const lost = startCli(
      await argumentsOf(deployed, 'canary', '3.0.0', [...slow.slice(0, 3), ...short]),
      env,
    );
    await until(() => lost.output.stdout.join('').includes('watch the error rate'), 240_000);
    await haproxy.stop();
    await until(() => lost.output.stdout.join('').includes('revert: '), 240_000);
    await haproxy.start();
    assert.is((await lost.ended).code, 1);
    assert.match(
      lost.output.stderr.join(''),
      /was reverted to 1\.0\.0: no metrics: HAProxy cannot be reached at /,
    );
    assert.is((await green(deployed))?.weight, 0);

    const [, , hanging = '', ...rest] = await argumentsOf(deployed, 'rolling', '4.0.0', quick);
    await writeFile(
      join(hanging, 'main.js'),
      'await new Promise(() => setInterval(() => undefined, 1_000));',
    );
    const never = await svc(['deploy', 'rolling', hanging, ...rest, '--ready-timeout', '1s'], env);
    assert.is(never.code, 1);
    assert.match(
      never.stderr,
      /^svc: The deployment of 4\.0\.0 was reverted to 1\.0\.0: [^\n]+ 0 ready after 1 s\.\n$/,
    );
    assert.is((await driver.revisions(signal)).current, '1.0.0');
  }));

test('of two deployments at once one is refused, and a restart of HAProxy changes no share for long', () =>
  withDeployedOrders(async (deployed) => {
    const { haproxy, driver, signal, env } = deployed;
    await deploy(deployed, 'recreate', '1.0.0');
    const all = startVersionLoad(haproxy.url, { clients: 2, pauseMs: 20 });
    const commands = [];
    for (const version of ['2.0.0', '3.0.0'])
      commands.push(startCli(await argumentsOf(deployed, 'canary', version, slow), env));
    const refused = await Promise.race(
      commands.map(async (command) => ({ command, code: (await command.ended).code })),
    );
    assert.is(refused.code, 1);
    assert.match(
      refused.command.output.stderr.join(''),
      /^svc: The canary deployment of [23]\.0\.0 by \S+ is running at \d+ %; wait for it, or run svc deploy abort\.\n$/,
    );
    await untilWeight(deployed, 10);
    await all.stop();
    assert.equal([...all.failures], []);

    await haproxy.stop();
    // As without "state" in deploy.json: HAProxy starts with the weights of its configuration.
    await writeFile(join(haproxy.folder, 'orders.state'), '');
    await haproxy.start();
    await untilWeight(deployed, 10);
    const aborted = await svc(['deploy', 'abort'], env);
    assert.is(aborted.code, 0, aborted.stderr);
    await Promise.all(commands.map((command) => command.ended));
    assert.is((await green(deployed))?.weight, 0);
    assert.is((await driver.revisions(signal)).current, '1.0.0');
  }));

test('bad input gives one readable line', () =>
  withDeployedOrders(async (deployed) => {
    const { haproxy, env } = deployed;
    await deploy(deployed, 'recreate', '1.0.0');
    const config = ['--config', join(haproxy.folder, 'deploy.json')];
    const unknown = await svc(['deploy', 'rollback', '--to', '9.9.9', ...config], env);
    assert.equal([unknown.code, unknown.stderr], [1, 'svc: There is no revision 9.9.9; known are 1.0.0.\n']);
    await haproxy.stop();
    const stopped = await deploy(deployed, 'canary', '2.0.0');
    assert.is(stopped.code, 1);
    assert.match(stopped.stderr, /^svc: HAProxy cannot be reached at [^\n]+\n$/);
  }));
