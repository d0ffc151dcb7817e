import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../../runtime/testing/until.js';
import { quick, withFront } from '../testing/simulated-deployments.js';

const test = suite('svc deploy');

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
      /^svc: The deployment of 1\.5\.0 was reverted to 1\.4\.2: (?:9\.\d|10) % of \d+ requests failed, more than 5 %\.\n$/,
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
    assert.match(stdout, /\n +1 +10 % +\d+ +(?:9\.\d|10) % +0 %\n$/);
    const history = await svc('history');
    assert.match(
      history.stdout,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}canary of 1\.5\.0 after 1\.4\.2 by ann: reverted/,
    );
  }));

test('a revision that never becomes ready is reverted in one line', () =>
  withFront(async ({ svc, front, configure }) => {
    configure({ neverReady: true });
    const { code, stderr } = await svc('rolling', '--revision', '1.5.0', '--ready-timeout', '1s');
    assert.equal(
      [code, stderr],
      [
        1,
        'svc: The deployment of 1.5.0 was reverted to 1.4.2: could not wait until 2 hosts of new are ready: 0 ready after 1 s.\n',
      ],
    );
    assert.equal([front().toNew, front().sides.old.replicas], [0, 3]);
  }));

test('a front that cannot be reached, an unknown revision and one that serves already are refused in one line', () =>
  withFront(async ({ svc, states }) => {
    const unknown = await svc('canary', '--revision', '0.9.0');
    assert.equal(
      [unknown.code, unknown.stderr],
      [1, 'svc: There is no revision 0.9.0; known are 1.5.0, 1.4.2.\n'],
    );
    const serving = await svc('canary', '--revision', '1.4.2');
    assert.equal(
      [serving.code, serving.stderr],
      [1, 'svc: 1.4.2 serves already; deploy another revision.\n'],
    );
    assert.equal(await states(), []);
    const gone = await svc('canary', 'registry.example.com/orders', '--revision', 'unreachable');
    assert.equal([gone.code, gone.stderr], [1, 'svc: There is no front at /run/front.sock.\n']);
    assert.equal(await states(), [['unreachable', 'reverted']]);
  }));

test('a check that fails stops a deployment before it changes anything', () =>
  withFront(async ({ svc, front }) => {
    const { code, stderr } = await svc('canary', '--revision', '1.5.0', '--pre', 'exit 3', ...quick);
    assert.is(code, 1);
    assert.match(stderr, /reverted to 1\.4\.2: the pre-deployment checks failed: exit 3: exit code 3\.\n$/);
    assert.is(front().sides.new.replicas, 0);
    const after = await svc('canary', '--revision', '1.5.0', '--post', 'false', ...quick);
    assert.match(after.stderr, /the post-deployment checks failed: false: exit code 1\.\n$/);
    assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
  }));

test('two deployments at once: the second is refused, pause and promote steer the first, abort reverts it', () =>
  withFront(async ({ svc, start, front, states }) => {
    const first = start(['canary', '--revision', '1.5.0', '--stage-time', '1h', '--min-sample', '1']);
    try {
      await until(() => front().toNew === 10);
      const second = await svc('rolling', '--revision', '1.5.0');
      assert.equal(
        [second.code, second.stderr],
        [
          1,
          'svc: The canary deployment of 1.5.0 by ann is running at 10 %; wait for it, or run svc deploy abort.\n',
        ],
      );
      assert.match((await svc('pause', '--reason', 'lunch')).stdout, /: paused at 10 %\n$/);
      await svc('promote');
      await until(() => front().toNew === 25);
      const aborted = await svc('abort');
      assert.equal([aborted.code, aborted.stderr], [0, '']);
      assert.match(aborted.stdout, /: reverted at 25 %: aborted by an operator\n$/);
      assert.is((await first.ended).code, 1);
      assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
      assert.equal(await states(), [['1.5.0', 'reverted']]);
      const nothing = await svc('abort');
      assert.equal([nothing.code, nothing.stderr], [1, 'svc: No deployment is under way.\n']);
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

test.run();
