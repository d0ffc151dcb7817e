import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RequestSummary } from '../../endpoints/console/source.js';
import { actorsIn, stepsOf } from './sequence.js';

const test = suite('sequence of a request');

const request: RequestSummary = {
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

const lines = (told: RequestSummary): string[] =>
  stepsOf(told).map(({ atMs, from, to, message }) => `${atMs} ${from} → ${to}: ${message}`);

test('the times of its states tell who was called when, and what came back', () => {
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

test('whoever takes part stands where it first did', () => {
  assert.equal(actorsIn(stepsOf(request)), ['client', 'lifecycle', 'handler', 'error-hook']);
});

test.run();
