import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { type DeployedOrders, withDeployedOrders } from '../../testing/deployed-orders.js';
import { type SpawnedCli, startCli, svc } from '../../testing/spawned-host.js';
import { askVersions, startVersionLoad } from '../../testing/version-load.js';
import { versionedOrders } from '../../testing/versioned-orders.js';

const test = suite('an HAProxy that is killed during a deployment');

async function deployment(
  { haproxy }: DeployedOrders,
  strategy: string,
  version: string,
): Promise<readonly string[]> {
  const file = join(haproxy.folder, 'deploy.json');
  await writeFile(file, JSON.stringify(haproxy.config));
  const app = await versionedOrders(haproxy.folder, version);
  const quick = ['--skip-checks', '--replicas', '1', '--stage-time', '1s', '--min-sample', '1'];
  return ['deploy', strategy, app, '--config', file, ...quick];
}

const untilPrinted = ({ output }: SpawnedCli, text: string): Promise<number> =>
  until(() => output.stdout.join('').includes(text), 240_000);

for (const [strategy, step] of Object.entries({
  'blue-green': 'scale new to 1 host',
  rolling: 'send 100 % to new',
  canary: 'drain old',
}))
  test(`${strategy}: killed at "${step}" and started again, one revision answers all requests`, () =>
    withDeployedOrders(async (deployed) => {
      const { haproxy, driver, signal, env } = deployed;
      const first = await svc(await deployment(deployed, 'recreate', '1.0.0'), env);
      assert.is(first.code, 0, first.stderr);
      const load = startVersionLoad(haproxy.url, { clients: 2, pauseMs: 20 });
      const command = startCli(await deployment(deployed, strategy, '2.0.0'), env);
      await untilPrinted(command, step);
      await haproxy.stop();
      await haproxy.start();
      const { code } = await command.ended;
      await load.stop();
      const serving = code === 0 ? '2.0.0' : '1.0.0';
      const stderr = command.output.stderr.join('');
      assert.match(
        stderr,
        code === 0 ? /^$/ : /^svc: The deployment of 2\.0\.0 was reverted to 1\.0\.0: [^\n]+\n$/,
      );
      assert.is((await driver.revisions(signal)).current, serving);
      const { answers, failures } = await askVersions(haproxy.url, 40);
      assert.equal([[...answers.keys()], [...failures]], [[serving], []]);
    }));
