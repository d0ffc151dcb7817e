import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quick, withFront } from '../testing/simulated-deployments.js';

const test = suite('svc deploy, each strategy');

for (const strategy of ['canary', 'rolling', 'blue-green', 'recreate']) {
  test(`${strategy} brings a revision into service, and rollback the one before`, () =>
    withFront(async ({ svc, front, states }) => {
      const deployed = await svc(strategy, '--revision', '1.5.0', ...quick);
      assert.equal([deployed.code, deployed.stderr], [0, '']);
      assert.match(deployed.stdout, new RegExp(`\\n1.5.0 serves all requests \\(${strategy}\\)\\.\\n$`));
      assert.equal(
        [front().toNew, front().sides.new.revision, front().sides.new.replicas],
        [100, '1.5.0', 3],
      );
      const back = await svc('rollback', '--json');
      assert.equal([back.code, back.stderr], [0, '']);
      const { revision, previous, state } = JSON.parse(back.stdout) as Record<string, unknown>;
      assert.equal([revision, previous, state], ['1.4.2', '1.5.0', 'completed']);
      assert.equal(
        [front().toNew, front().sides.new.revision, front().sides.new.replicas],
        [100, '1.4.2', 3],
      );
      assert.equal(await states(), [
        ['1.5.0', 'completed'],
        ['1.4.2', 'completed'],
      ]);
    }));
}

test('every stage is a system event', () =>
  withFront(async ({ svc, events }) => {
    await svc('canary', '--revision', '1.5.0', ...quick);
    assert.equal(await events(), [
      ['DeploymentStarted', '1.5.0', null],
      ...['10', '25', '50', '75', '100'].map((toNew) => ['DeploymentStageReached', '1.5.0', toNew]),
      ['DeploymentCompleted', '1.5.0', null],
    ]);
  }));

test.run();
