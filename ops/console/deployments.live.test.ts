import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { withConsole } from '../testing/bakery-console.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { quick, simulatedFrontIn } from '../testing/simulated-deployments.js';

const test = suite('deployments in the console');

test('a deployment shows in its panel with its share, and every stage of it in the system stream', () =>
  withConsole(({ page, show, databaseUrl }) =>
    withFolder(async (folder) => {
      const { configForProcess: config, configure } = simulatedFrontIn(folder);
      const canary = (...more: string[]) =>
        svc(['deploy', 'canary', '--revision', '1.5.0', '--config', config, ...more], {
          DATABASE_URL: databaseUrl,
          SVC_ACTOR: 'ann',
        });
      const row = (name: RegExp) => page.getByRole('row', { name }).first().waitFor();
      await show('deployments');
      await page.getByText('Nothing has been deployed with svc deploy yet.').waitFor();
      configure({ errors: 0.1 });
      assert.is((await canary('--stage-time', '1m', '--min-sample', '200')).code, 1);
      await row(/^1\.5\.0 reverted canary .*10 % ann .* requests failed, more than 5 %$/);
      configure({});
      const { code, stderr } = await canary(...quick);
      assert.equal([code, stderr], [0, '']);
      await row(/^1\.5\.0 completed canary .*100 % ann /);
      await show('system');
      await row(/DeploymentStarted canary of 1\.5\.0/);
      await row(/DeploymentReverted canary of 1\.5\.0 at 10 %: .* requests failed, more than 5 %/);
      await row(/DeploymentCompleted canary of 1\.5\.0/);
      const stages = page.getByRole('row', { name: /DeploymentStageReached canary of 1\.5\.0 at \d+ %/ });
      await stages.nth(5).waitFor();
      assert.is(await stages.count(), 6);
    }),
  ));
