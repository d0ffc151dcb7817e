import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import type { LifecycleEnd } from '../../runtime/request/observer.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { LifecycleCounts } from '../lifecycle/lifecycle-counts.js';
import { RequestRecorder } from './request-recorder.js';

const test = suite('request recorder');

function recorder() {
  const counts = new LifecycleCounts('Bake');
  const kept: RequestRecorder[] = [];
  const context = new RequestContext({ transport: 'graphql', cancellation: new Cancellation() });
  const request = new RequestRecorder(false, (one) => void kept.push(one));
  const begin = () => request.begin(counts, context);
  begin();
  return { counts, kept, context, request, begin };
}

test('a recorder reports the states it was in and for how long, and no other states', async () => {
  const { request } = recorder();
  request.moved('passed', 'dispatching');
  await delay(30);
  request.moved('failed', 'recovering');
  request.moved('recovered', 'recovered');
  request.left({ outcome: 'recovered', result: 'cake', from: new TypeError('sesame') });
  const { states, outcome, failedIn, error, transport, ms } = request.record();
  assert.equal(
    states.map(([state]) => state),
    ['checking', 'dispatching', 'recovering'],
  );
  assert.ok((states[1]?.[1] ?? 0) >= 25);
  assert.ok(ms >= 25);
  assert.equal(
    [outcome, failedIn, error?.name, transport],
    ['recovered', 'dispatching', 'TypeError', 'graphql'],
  );
});

test('states are counted as they are entered, and the record is kept at the end', () => {
  const { counts, kept, request } = recorder();
  request.moved('passed', 'dispatching');
  const inFlight = () => counts.aggregate().states.find(({ state }) => state === 'dispatching')?.inFlight;
  assert.is(inFlight(), 1);
  assert.equal(kept, []);
  request.moved('succeeded', 'completed');
  request.left({ outcome: 'completed', result: 'bread' });
  assert.is(inFlight(), 0);
  assert.is(kept[0], request);
});

test('a reused recorder has nothing of the previous request', () => {
  const { request, begin } = recorder();
  request.moved('passed', 'dispatching');
  request.moved('failed', 'failed');
  request.left({ outcome: 'failed', error: new TypeError('sesame'), in: 'dispatching' });
  begin();
  request.moved('passed', 'before');
  request.left({ outcome: 'completed', result: 'bread' });
  const { states, outcome, failedIn, error } = request.record();
  assert.equal(
    [states.map(([state]) => state), outcome, failedIn, error],
    [['checking'], 'completed', undefined, undefined],
  );
});

test('a request that has not ended is running, and in its present state so far', async () => {
  const { request } = recorder();
  request.moved('passed', 'dispatching');
  await delay(30);
  const { states, outcome, status, ms } = request.record();
  assert.equal(
    [states.map(([state]) => state), outcome, status],
    [['checking', 'dispatching'], 'running', undefined],
  );
  assert.ok((states[1]?.[1] ?? 0) >= 25 && ms >= 25);
});

test('the status of the answer is recorded, and an error of the service is a crash', () => {
  const { request, begin } = recorder();
  const ended = (end: LifecycleEnd<unknown>) => {
    begin();
    request.left(end);
    return [request.record().status, request.isCrash];
  };
  const missing = new Problem('order-not-found', { status: 404 });
  assert.equal(ended({ outcome: 'completed', result: 'bread' }), [200, false]);
  assert.equal(ended({ outcome: 'completed', result: undefined }), [204, false]);
  assert.equal(ended({ outcome: 'recovered', result: 'bun', from: new TypeError() }), [200, false]);
  assert.equal(ended({ outcome: 'failed', error: missing, in: 'dispatching' }), [404, false]);
  assert.equal(ended({ outcome: 'failed', error: missing, in: 'after' }), [500, true]);
  assert.equal(ended({ outcome: 'failed', error: new TypeError(), in: 'before' }), [500, true]);
});
