import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { defaultOptions } from './default-options.js';
import { planOf, stepsOf } from './plan.js';
import type { DeploymentOptions, Strategy } from './steps.js';

const test = suite('deployment plans');

const planned = (strategy: Strategy, options: Partial<DeploymentOptions> = {}) =>
  planOf(stepsOf(strategy, { ...defaultOptions(strategy), oldReplicas: 10, ...options }));

const shares = (strategy: Strategy, options: Partial<DeploymentOptions> = {}) =>
  planned(strategy, options).map(({ toNew, forMs }) => [toNew, forMs]);

test('a canary has stages of 10, 25, 50, 75 and 100 percent, 5 minutes each', () => {
  assert.equal(shares('canary'), [
    [10, 300_000],
    [25, 300_000],
    [50, 300_000],
    [75, 300_000],
    [100, 300_000],
  ]);
});

test('the first stage of a canary checks and starts hosts, the last one checks and stops the old ones', () => {
  const stages = planned('canary');
  assert.equal(stages[0]?.actions, [
    'run the pre-deployment checks',
    'scale new to 1 host',
    'wait until 1 host of new is ready',
    'let the header x-canary choose',
    'send 10 % to new',
    'watch the error rate',
  ]);
  assert.equal(stages[4]?.actions, [
    'scale new to 10 hosts',
    'wait until 10 hosts of new are ready',
    'send 100 % to new',
    'watch the error rate',
    'run the post-deployment checks',
    'wait until all hosts of new are ready',
    'ignore the header x-canary',
    'drain old',
    'stop the old hosts',
  ]);
});

test('a rolling update of 10 replicas has at most 1 unavailable and at most 2 extra', () => {
  assert.equal(shares('rolling'), [
    [22, 10_000],
    [56, 10_000],
    [89, 10_000],
    [100, 10_000],
  ]);
  const hosts = { old: 10, new: 0 };
  const seen: number[] = [];
  for (const step of stepsOf('rolling', { ...defaultOptions('rolling'), oldReplicas: 10 })) {
    if (step.do === 'scale') hosts[step.side] = step.replicas;
    seen.push(hosts.old + hosts.new);
  }
  assert.equal([Math.min(...seen), Math.max(...seen)], [9, 12]);
  assert.equal(hosts, { old: 0, new: 10 });
});

test('the last old hosts of a rolling update stop when the checks have passed', () => {
  assert.equal(planned('rolling').at(-1)?.actions, [
    'scale new to 10 hosts',
    'wait until 10 hosts of new are ready',
    'send 100 % to new',
    'watch the error rate',
    'run the post-deployment checks',
    'wait until all hosts of new are ready',
    'drain old',
    'stop the old hosts',
  ]);
});

test('a rolling update without extra hosts stops old hosts first', () => {
  assert.equal(
    shares('rolling', { replicas: 3, oldReplicas: 3, maxSurge: 0 }).map(([toNew]) => toNew),
    [0, 50, 100, 100],
  );
});

test('blue-green starts everything, switches once and keeps a part of the old environment', () => {
  assert.equal(planned('blue-green'), [
    {
      toNew: 100,
      forMs: 60_000,
      actions: [
        'run the pre-deployment checks',
        'scale new to 10 hosts',
        'wait until 10 hosts of new are ready',
        'let the header x-canary choose',
        'switch all traffic to new',
        'watch the error rate',
        'run the post-deployment checks',
        'wait until all hosts of new are ready',
        'ignore the header x-canary',
        'drain old',
        'scale old to 1 host',
      ],
    },
  ]);
});

test('recreate stops all old hosts before it starts new ones', () => {
  assert.equal(planned('recreate'), [
    {
      toNew: 100,
      forMs: 0,
      actions: [
        'run the pre-deployment checks',
        'stop the old hosts',
        'wait until no old host serves',
        'scale new to 10 hosts',
        'wait until 10 hosts of new are ready',
        'switch all traffic to new',
        'watch the error rate',
        'run the post-deployment checks',
      ],
    },
  ]);
});

test('the first deployment only starts hosts, whatever the strategy', () => {
  for (const strategy of ['canary', 'rolling', 'blue-green', 'recreate'] as const) {
    const [stage, ...others] = planned(strategy, { oldReplicas: 0 });
    assert.equal(others, []);
    assert.is(stage?.toNew, 100);
    assert.not.match(stage?.actions.join() ?? '', 'old');
  }
});
