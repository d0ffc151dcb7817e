import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { startTemporary } from '../../../runtime/kit/postgres-server.js';
import { statusOf } from '../../supervise/status-socket.js';
import { type DeployedOrders, withDeployedOrders } from '../../testing/deployed-orders.js';
import { svc } from '../../testing/spawned-host.js';
import { startVersionLoad } from '../../testing/version-load.js';
import { versionedOrders } from '../../testing/versioned-orders.js';

const test = suite('svc deploy with ten hosts');

const quick = ['--skip-checks', '--stage-time', '1s', '--min-sample', '20'];

async function deploy({ haproxy, env }: DeployedOrders, args: readonly string[]): Promise<void> {
  const file = join(haproxy.folder, 'deploy.json');
  await writeFile(file, JSON.stringify(haproxy.config));
  const { code, stdout, stderr } = await svc(['deploy', ...args, '--config', file, ...quick], env);
  assert.equal([code, stderr], [0, ''], stdout);
}

const hostsOf = async ({ haproxy }: DeployedOrders, revision: string): Promise<number> =>
  (await statusOf(join(haproxy.folder, 'releases', revision, 'data')))?.hosts.length ?? 0;

/** Ten old hosts and ten new ones have more connections than a server has by default. */
async function withLargeServer(body: (url: string) => Promise<void>): Promise<void> {
  const server = await startTemporary(undefined, { settings: { max_connections: '300' } });
  try {
    await migrate({ ownerUrl: server.url });
    await body(server.url);
  } finally {
    await server.stop();
  }
}

test('rolling with ten hosts, and back to the previous and to a named revision: no request fails', () =>
  withDeployedOrders(async (deployed) => {
    const { haproxy, driver, signal } = deployed;
    const ten = ['--replicas', '10'];
    const app = (version: string) => versionedOrders(haproxy.folder, version);
    await deploy(deployed, ['recreate', await app('1.0.0'), ...ten]);
    const all = startVersionLoad(haproxy.url, { clients: 4, pauseMs: 5 });
    await deploy(deployed, ['rolling', await app('2.0.0'), ...ten]);
    assert.equal([await hostsOf(deployed, '2.0.0'), await hostsOf(deployed, '1.0.0')], [10, 0]);
    await deploy(deployed, ['rollback', ...ten]);
    assert.equal([await hostsOf(deployed, '1.0.0'), await hostsOf(deployed, '2.0.0')], [10, 0]);
    await deploy(deployed, ['blue-green', await app('3.0.0'), '--replicas', '2']);
    await deploy(deployed, ['rollback', '--to', '2.0.0', '--replicas', '2']);
    assert.is((await driver.revisions(signal)).current, '2.0.0');
    await all.more(200);
    await all.stop();
    assert.equal([...all.failures], []);
  }, withLargeServer));

test('recreate over a running revision stops every old host first; afterwards no request fails', () =>
  withDeployedOrders(async (deployed) => {
    const { haproxy, driver, signal } = deployed;
    const two = ['--replicas', '2'];
    await deploy(deployed, ['recreate', await versionedOrders(haproxy.folder, '1.0.0'), ...two]);
    await deploy(deployed, ['recreate', await versionedOrders(haproxy.folder, '2.0.0'), ...two]);
    assert.equal([await hostsOf(deployed, '1.0.0'), await hostsOf(deployed, '2.0.0')], [0, 2]);
    assert.is((await driver.revisions(signal)).current, '2.0.0');
    const after = startVersionLoad(haproxy.url, { clients: 2, limit: 200 });
    await after.more(200);
    await after.stop();
    assert.equal([[...after.answers], [...after.failures]], [[['2.0.0', 200]], []]);
  }));
