import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { stepsOf } from './request-steps.js';
import type { RequestDetail } from './requests.js';

const test = suite('request steps');

const request: RequestDetail = {
  id: 'r-1',
  correlationId: 'c-1',
  command: 'BakeBun',
  transport: 'rest',
  outcome: 'failed',
  failedIn: 'dispatching',
  error: 'burnt',
  startedAt: '2026-01-01T00:00:00.000Z',
  ms: 5,
  states: [
    ['checking', 1],
    ['dispatching', 4],
  ],
  steps: [],
  events: [],
  records: [],
};

const shown = (of: RequestDetail): readonly string[] =>
  stepsOf(of).map(({ atMs, what, message, failed }) => `${atMs} ${what} ${message}${failed ? ' !' : ''}`);

test('a request has its states with the times at which it entered them, and where it failed', () => {
  assert.equal(shown(request), ['0 checking ', '1 dispatching burnt !', '5 failed  !']);
});

test('a request that runs has no last state yet', () => {
  const running = { ...request, outcome: 'running', failedIn: undefined } as const;
  assert.equal(shown(running), ['0 checking ', '1 dispatching ']);
});

test('a request that was watched has its messages', () => {
  const steps = [
    { ms: 0, from: 'endpoint', to: 'lifecycle', message: 'begin', state: 'checking' },
    { ms: 1, from: 'lifecycle', to: 'store', message: 'commit' },
    { ms: 2, from: 'store', to: 'lifecycle', message: 'refused', error: { name: 'Problem', code: 'burnt' } },
  ];
  assert.equal(shown({ ...request, steps }), [
    '0 checking begin',
    '1 lifecycle → store commit',
    '2 store → lifecycle refused burnt !',
  ]);
});
