import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleHere } from '../../../runtime/testing/process-root.js';
import { quick, withFront } from '../../testing/simulated-deployments.js';

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
      const back = await svc('rollback', '--json', '--stage-time', '0s');
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

test('a rollback refuses a revision that never served', () =>
  withFront(async ({ svc, front, states }) => {
    await svc('canary', '--revision', '1.5.0', '--pre', 'exit 3', ...quick);
    for (const more of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await svc('rollback', ...more);
      assert.equal(
        [code, stdout, stderr],
        [1, '', 'svc: There is no earlier revision; name one with --to.\n'],
      );
    }
    assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
    assert.equal(await states(), [['1.5.0', 'reverted']]);
  }));

test('a dry run prints what the deployment would do: of a rollback, and of a first revision', () =>
  withFront(async ({ svc, configure, front, states }) => {
    const deployed = await svc('rolling', '--revision', '1.5.0', ...quick);
    assert.is(deployed.code, 0, deployed.stderr);
    const planned = await svc('rollback', '--dry-run');
    assert.match(planned.stdout, /^rolling, stage 1 of \d: \d+ % to new for 10 s\n/);
    assert.equal([front().toNew, (await states()).length], [100, 1]);
    const back = await svc('rollback', '--stage-time', '0s');
    const actions = planned.stdout.split('\n').filter((line) => line.startsWith('  '));
    assert.equal(
      back.stdout.split('\n').slice(0, actions.length),
      actions.map((action) => action.trim()),
    );
    const slots = { blue: { port: 3001 }, green: { port: 3002 } };
    const haproxy = { driver: 'haproxy', socket: 'admin.sock', backend: 'orders', slots };
    configure({ ...haproxy, requestsPerSecond: undefined });
    const first = await svc('canary', exampleHere('orders'), '--revision', '1.0.0', '--dry-run');
    assert.match(first.stdout, /^recreate, stage 1 of 1: 100 % to new for 300 s\n/);
  }));

test('every stage is a system event', () =>
  withFront(async ({ svc, events }) => {
    await svc('canary', '--revision', '1.5.0', ...quick);
    assert.equal(await events(), [
      ['DeploymentStarted', '1.5.0', null],
      ...['10', '25', '50', '75', '100'].map((toNew) => ['DeploymentStageReached', '1.5.0', toNew]),
      ['DeploymentCompleted', '1.5.0', null],
    ]);
  }));
