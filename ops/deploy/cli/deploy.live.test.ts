import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { withFront } from '../../testing/simulated-deployments.js';

const test = suite('svc deploy');

test('a revision with too many errors is reverted, with the reason, and the command exits with 1', () =>
  withFront(async ({ svc, front, configure, events }) => {
    configure({ errors: 0.1 });
    const { code, stderr } = await svc(
      'canary',
      '--revision',
      '1.5.0',
      '--stage-time',
      '1m',
      '--min-sample',
      '200',
    );
    assert.is(code, 1);
    assert.match(
      stderr,
      /^svc: The deployment of 1\.5\.0 was reverted to 1\.4\.2: \d+(?:\.\d)? % of \d+ requests failed, more than 5 %\.\n$/,
    );
    assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
    assert.equal(await events(), [
      ['DeploymentStarted', '1.5.0', null],
      ['DeploymentStageReached', '1.5.0', '10'],
      ['DeploymentReverted', '1.5.0', '10'],
    ]);
    const { stdout } = await svc('status');
    assert.match(
      stdout,
      /canary of 1\.5\.0 after 1\.4\.2 by ann: reverted at 10 %: .* failed, more than 5 %/,
    );
    assert.match(stdout, /\n +1 +10 % +\d+ +\d+(?:\.\d)? % +0 %\n$/);
    const history = await svc('history');
    assert.match(
      history.stdout,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}canary of 1\.5\.0 after 1\.4\.2 by ann: reverted/,
    );
  }));

test('two deployments at once: the second is refused, pause and promote steer the first, abort reverts it', () =>
  withFront(async ({ svc, start, front, states }) => {
    const first = start(['canary', '--revision', '1.5.0', '--stage-time', '1h', '--min-sample', '1']);
    try {
      await until(() => front().toNew === 10);
      const watching = start(['status', '--watch']);
      // It looks twice a second: what lasts for less may not be shown.
      const shows = (text: string) => until(() => watching.output.stdout.join('').includes(text));
      await shows('running at 10 %');
      const second = await svc('rolling', '--revision', '1.5.0');
      assert.equal(
        [second.code, second.stderr],
        [
          1,
          'svc: The canary deployment of 1.5.0 by ann is running at 10 %; wait for it, or run svc deploy abort.\n',
        ],
      );
      assert.match((await svc('pause', '--reason', 'lunch')).stdout, /: paused at 10 %\n$/);
      await shows('paused at 10 %');
      await svc('promote');
      // The share is stored after the front has it.
      await shows('running at 25 %');
      const aborted = await svc('abort', '--reason', 'too slow');
      assert.equal([aborted.code, aborted.stderr], [0, '']);
      assert.match(aborted.stdout, /: reverted at 25 %: aborted by an operator: too slow\n$/);
      assert.match((await svc('history')).stdout, /: aborted by an operator: too slow\n$/);
      assert.is((await first.ended).code, 1);
      assert.is((await watching.ended).code, 1);
      assert.match(
        watching.output.stdout.join(''),
        /: paused at 10 %\n.*: reverted at 25 %: aborted by an operator: too slow\n/s,
      );
      assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
      assert.equal(await states(), [['1.5.0', 'reverted']]);
      const nothing = await svc('abort');
      assert.equal([nothing.code, nothing.stderr], [1, 'svc: No deployment is in progress.\n']);
    } finally {
      await first.kill('SIGKILL');
    }
  }));

test('SIGTERM reverts', () =>
  withFront(async ({ start, front }) => {
    const command = start(['blue-green', '--revision', '1.5.0', '--stage-time', '1h']);
    await until(() => front().toNew === 100);
    const { code } = await command.kill('SIGTERM');
    assert.is(code, 1);
    assert.match(
      command.output.stderr.join(''),
      /reverted to 1\.4\.2: the deploy command was interrupted\.\n$/,
    );
    assert.is(front().toNew, 0);
  }));

test('while a driver prepares without end, abort, SIGINT and a kill -9 each end the deployment', () =>
  withFront(async ({ svc, start, front, states }) => {
    const begin = async (count: number) => {
      const command = start(['canary', 'registry.example.com/orders', '--revision', 'endless']);
      await until(async () => (await states()).length === count);
      return command;
    };
    const first = await begin(1);
    const aborted = await svc('abort');
    assert.equal([aborted.code, aborted.stderr], [0, '']);
    assert.match(aborted.stdout, /: reverted at 0 %: aborted by an operator\n$/);
    assert.is((await first.ended).code, 1);
    const second = await begin(2);
    assert.is((await second.kill('SIGINT')).code, 1);
    assert.match(
      second.output.stderr.join(''),
      /reverted to 1\.4\.2: the deploy command was interrupted\.\n$/,
    );
    const third = await begin(3);
    await third.kill('SIGKILL');
    await until(async () => (await states()).every(([, state]) => state === 'reverted'));
    assert.equal([front().toNew, front().sides.old.replicas], [0, 3]);
  }));
