import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { statusOf } from '../../supervise/status-socket.js';
import { withDeployedOrders } from '../../testing/deployed-orders.js';
import { svc } from '../../testing/spawned-host.js';
import { askVersions } from '../../testing/version-load.js';
import { versionedOrders } from '../../testing/versioned-orders.js';

const test = suite('svc deploy start');

test('after a restart of the machine what served serves again; while a revision serves, nothing happens', () =>
  withDeployedOrders(async ({ haproxy, env }) => {
    const config = ['--config', join(haproxy.folder, 'deploy.json')];
    await writeFile(config[1] ?? '', JSON.stringify(haproxy.config));
    const none = await svc(['deploy', 'start', ...config], env);
    assert.equal([none.code, none.stdout], [0, 'No revision has been deployed yet.\n'], none.stderr);

    const app = await versionedOrders(haproxy.folder, '1.0.0');
    const first = await svc(['deploy', 'recreate', app, ...config, '--skip-checks', '--replicas', '1'], env);
    assert.equal([first.code, first.stderr], [0, '']);
    const running = await svc(['deploy', 'start', ...config, '--json'], env);
    assert.equal(JSON.parse(running.stdout), { started: false, revision: '1.0.0' });

    const dataDir = join(haproxy.folder, 'releases/1.0.0/data');
    const status = await statusOf(dataDir);
    for (const pid of [status?.pid, ...(status?.hosts.map((host) => host.pid) ?? [])])
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    await until(async () => (await statusOf(dataDir)) === undefined);

    const started = await svc(['deploy', 'start', ...config], env);
    assert.equal([started.code, started.stderr], [0, ''], started.stdout);
    const { answers, failures } = await askVersions(haproxy.url, 20);
    assert.equal([[...answers], [...failures]], [[['1.0.0', 20]], []]);
    const { headers } = await fetch(`${haproxy.url}/health/ready`);
    assert.is(headers.get('svc-revision'), '1.0.0');
  }));

test('a revision that was reverted leaves neither hosts nor a supervisor', () =>
  withDeployedOrders(async ({ haproxy, start, signal }) => {
    await (await start('1.0.0', 1)).setWeights(100, signal);
    const second = await start('2.0.0', 1);
    await second.switch('old', signal);
    await second.scale('new', 0, signal);
    assert.is(await statusOf(join(haproxy.folder, 'releases/2.0.0/data')), undefined);
  }));
