import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { statusOf } from '../../supervise/status-socket.js';
import { type DeployedOrders, withDeployedOrders } from '../../testing/deployed-orders.js';
import { startCli, svc } from '../../testing/spawned-host.js';
import { askVersions } from '../../testing/version-load.js';
import { versionedOrders } from '../../testing/versioned-orders.js';
import { serverStatsIn } from './server-stats.js';

const test = suite('svc deploy, its supervisors killed');

const canary = async ({ haproxy, env }: DeployedOrders, version: string) => {
  const file = join(haproxy.folder, 'deploy.json');
  await writeFile(file, JSON.stringify(haproxy.config));
  const app = await versionedOrders(haproxy.folder, version);
  const options = ['--skip-checks', '--replicas', '1', '--stage-time', '5m', '--min-sample', '1'];
  return startCli(['deploy', 'canary', app, '--config', file, ...options], env);
};

const untilStage = ({ haproxy }: DeployedOrders, weight: number): Promise<number> =>
  until(async () => {
    const servers = serverStatsIn(await haproxy.command('show stat orders 4 -1'), 'orders');
    return servers.find(({ name }) => name === 'green')?.weight === weight;
  }, 240_000);

async function killSupervisor({ haproxy }: DeployedOrders, version: string): Promise<void> {
  const status = await statusOf(join(haproxy.folder, 'releases', version, 'data'));
  assert.ok(status);
  process.kill(status.pid, 'SIGKILL');
}

test('whichever supervisor is killed in the middle of a canary, the old revision has all requests in the end', () =>
  withDeployedOrders(async (deployed) => {
    const { haproxy, env, start, signal } = deployed;
    await (await start('1.0.0', 1)).setWeights(100, signal);
    const first = await canary(deployed, '2.0.0');
    await untilStage(deployed, 10);
    await killSupervisor(deployed, '2.0.0');
    assert.is((await first.ended).code, 1);
    assert.match(
      first.output.stderr.join(''),
      /^svc: The deployment of 2\.0\.0 was reverted to 1\.0\.0: no host of the new revision was ready for 5 s\.\n$/,
    );
    assert.equal([...(await askVersions(haproxy.url, 50)).answers], [['1.0.0', 50]]);

    const second = await canary(deployed, '3.0.0');
    await untilStage(deployed, 10);
    await killSupervisor(deployed, '1.0.0');
    const aborted = await svc(['deploy', 'abort'], env);
    assert.equal([aborted.code, aborted.stderr], [0, '']);
    assert.is((await second.ended).code, 1);
    assert.equal(
      [...(await askVersions(haproxy.url, 50)).answers],
      [['1.0.0', 50]],
      'its hosts were started again',
    );
  }));
