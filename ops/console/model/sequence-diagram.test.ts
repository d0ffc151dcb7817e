import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { RequestItem } from './requests.js';
import { actorsIn, lifelinesOf, recordedStepsOf, stepsOf } from './sequence-diagram.js';

const test = suite('sequence of a request');

const request: RequestItem = {
  id: 'r',
  correlationId: 'c',
  command: 'ShipOrder',
  transport: 'rest',
  outcome: 'recovered',
  failedIn: 'dispatching',
  error: 'CarrierDown',
  startedAt: '2026-01-01T00:00:00.000Z',
  ms: 7,
  states: [
    ['checking', 0],
    ['dispatching', 5],
    ['recovering', 2],
  ],
};

const lines = (item: RequestItem): string[] =>
  stepsOf(item).map(({ atMs, from, to, message }) => `${atMs} ${from} → ${to}: ${message}`);

test('the times of its states show which actor was called when, and what it returned', () => {
  assert.equal(lines(request), [
    '0 client → lifecycle: POST',
    '0 lifecycle → lifecycle: checking',
    '0 lifecycle → lifecycle: dispatching',
    '0 lifecycle → handler: call',
    '5 handler → lifecycle: threw CarrierDown',
    '5 lifecycle → lifecycle: recovering',
    '5 lifecycle → error-hook: call',
    '7 error-hook → lifecycle: returned',
    '7 lifecycle → lifecycle: recovered',
    '7 lifecycle → client: result',
  ]);
});

test('a request that failed is answered with a problem', () => {
  assert.is(
    lines({ ...request, outcome: 'failed', failedIn: 'recovering' }).at(-1),
    '7 lifecycle → client: problem',
  );
});

test('actors are in the order of their first message', () => {
  assert.equal(actorsIn(stepsOf(request)), ['client', 'lifecycle', 'handler', 'error-hook']);
});

test('a recorded request also shows its handler and the store', () => {
  const recorded = [
    { ms: 0, from: 'endpoint', to: 'lifecycle', message: 'begin', state: 'checking' },
    { ms: 0, from: 'endpoint', to: 'lifecycle', message: 'passed', state: 'before' },
    { ms: 1, from: 'endpoint', to: 'lifecycle', message: 'succeeded', state: 'dispatching' },
    { ms: 1, from: 'lifecycle', to: 'ShipOrder handler', message: 'enter' },
    { ms: 2, from: 'ShipOrder handler', to: 'lifecycle', message: 'succeeded' },
    { ms: 2, from: 'lifecycle', to: 'store', message: 'commit' },
    {
      ms: 4,
      from: 'store',
      to: 'lifecycle',
      message: 'refused',
      error: { name: 'Problem', code: 'stream-conflict' },
    },
    { ms: 4, from: 'endpoint', to: 'lifecycle', message: 'failed', state: 'failed' },
  ];
  const steps = recordedStepsOf(recorded, { ...request, outcome: 'failed', ms: 4 });
  assert.equal(
    steps.map(({ atMs, from, to, message }) => `${atMs} ${from} → ${to}: ${message}`),
    [
      '0 client → lifecycle: POST',
      '0 lifecycle → lifecycle: checking',
      '0 lifecycle → lifecycle: before',
      '0 lifecycle → before-hook: call',
      '1 before-hook → lifecycle: succeeded',
      '1 lifecycle → lifecycle: dispatching',
      '1 lifecycle → ShipOrder handler: enter',
      '2 ShipOrder handler → lifecycle: succeeded',
      '2 lifecycle → store: commit',
      '4 store → lifecycle: refused stream-conflict',
      '4 lifecycle → lifecycle: failed',
      '4 lifecycle → client: problem',
    ],
  );
});

test('boxes are as wide as their labels and do not touch, and only very long labels are shortened', () => {
  const long = `${'Reconcile'.repeat(8)} handler`;
  const lifelines = lifelinesOf(['client', 'CreateOrder handler', 'store', long]);
  assert.equal(
    lifelines.map(({ label }) => label),
    ['client', 'CreateOrder handler', 'store', `${long.slice(0, 35)}…`],
  );
  for (const { label, width } of lifelines) assert.ok(width >= label.length * 7.4 + 16, label);
  lifelines.reduce((left, right) => {
    assert.ok(left.x + left.width / 2 < right.x - right.width / 2, right.label);
    return right;
  });
});

test('a request without a lifecycle is answered by its endpoint', () => {
  const unstarted: RequestItem = { ...request, ms: 0, states: [], failedIn: undefined };
  assert.equal(lines({ ...unstarted, outcome: 'rejected', status: 422, error: 'invalid-command' }), [
    '0 client → endpoint: POST',
    '0 endpoint → endpoint: rejected',
    '0 endpoint → client: 422 invalid-command',
  ]);
  assert.is(lines({ ...unstarted, outcome: 'replayed' }).at(-1), '0 endpoint → client: stored answer');
});

test('a request in flight has not been answered', () => {
  const running: RequestItem = { ...request, outcome: 'running', states: [['dispatching', 900]] };
  assert.is(lines({ ...running, failedIn: undefined }).at(-1), '0 lifecycle → handler: call');
});
