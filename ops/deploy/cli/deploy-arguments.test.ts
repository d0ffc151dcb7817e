import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { parseDeploy } from './deploy-arguments.js';

const test = suite('arguments of svc deploy');

const wantedIn = (...args: string[]) => {
  const given = parseDeploy(args);
  assert.ok(given.action === 'deploy');
  return given.wanted;
};

test('a deployment names a strategy and what to deploy', () => {
  const { strategy, source, revision, options, dryRun } = wantedIn(
    'canary',
    './orders',
    '--revision',
    '1.5.0',
  );
  assert.equal(
    { strategy, source, revision, options, dryRun },
    { strategy: 'canary', source: './orders', revision: '1.5.0', options: {}, dryRun: false },
  );
});

test('the numbers of a strategy can be changed', () => {
  const { options } = wantedIn(
    ...[
      'rolling',
      'a',
      '--replicas',
      '4',
      '--max-surge',
      '0',
      '--max-unavailable',
      '2',
      '--stage-time',
      '90s',
    ],
    ...['--stages', '5, 50,100', '--max-errors', '1', '--min-sample', '50', '--hold', '2h', '--keep', '0'],
    ...['--ready-timeout', '10m', '--step-timeout', '500ms'],
  );
  assert.equal(options, {
    replicas: 4,
    maxErrors: 1,
    minSample: 50,
    maxUnavailable: 2,
    maxSurge: 0,
    keep: 0,
    stageMs: 90_000,
    holdMs: 7_200_000,
    readyMs: 600_000,
    stepMs: 500,
    stages: [5, 50, 100],
  });
});

test('a rollback may name a revision, and has no strategy of its own', () => {
  const { strategy, revision } = wantedIn('rollback', '--to', '1.4.2');
  assert.equal([strategy, revision], [undefined, '1.4.2']);
  assert.is(wantedIn('rollback').revision, undefined);
});

test('the other actions', () => {
  assert.equal(parseDeploy(['status', '--watch']), { action: 'status', watch: true, json: false });
  assert.equal(parseDeploy(['history', '--limit', '5', '--json']), {
    action: 'history',
    limit: 5,
    json: true,
  });
  assert.equal(parseDeploy(['abort', '--reason', ' too slow ', '--kubeconfig', 'k']), {
    action: 'ask',
    request: 'abort',
    reason: 'too slow',
    json: false,
    kubeconfig: 'k',
  });
});

for (const args of [
  [],
  ['toString'],
  ['canary'],
  ['canary', 'a', 'b'],
  ['rollback', '1.4.2'],
  ['status', 'x'],
  ['status', '--revision', '1'],
  ['canary', 'a', '--to', '1'],
  ['canary', 'a', '--revision', '../../etc'],
  ['canary', 'a', '--revision', ''],
  ['canary', 'a', '--revision', 'a b'],
  ['canary', 'a', '--revision', 'a;b'],
  ['canary', 'a', '--revision', '..'],
  ['canary', 'a\nb'],
  ['canary', 'a', '--config', 'a\nb'],
  ['abort', '--reason', 'two\nlines'],
  ['abort', '--reason', 'x'.repeat(501)],
  ['canary', 'a', '--replicas', '0'],
  ['canary', 'a', '--replicas', '1e3'],
  ['canary', 'a', '--max-errors', '101'],
  ['canary', 'a', '--stage-time', '5'],
  ['canary', 'a', '--stage-time', '8d'],
  ['canary', 'a', '--hold', '9999h'],
  ['canary', 'a', '--stages', '10,10,100'],
  ['canary', 'a', '--stages', '10,50'],
  ['canary', 'a', '--stages', ''],
  ['canary', 'a', '--stages', '0,100'],
  ['canary', 'a', '--url', 'file:///etc/passwd'],
  ['history', '--limit', '0'],
  ['canary', 'a', '--unknown'],
]) {
  test(`${JSON.stringify(args).slice(0, 80)} is refused with a hint`, () => {
    assert.throws(
      () => parseDeploy(args),
      (error: unknown) =>
        error instanceof Problem &&
        error.code === 'usage' &&
        /^[^\n]*see svc deploy --help\.$/.test(error.message),
    );
  });
}
