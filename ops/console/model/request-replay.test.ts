import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { aRequest } from '../../testing/scripted-host.js';
import { stepsOf } from './sequence-diagram.js';
import { statesOf } from './request-path.js';
import { messagesUntil, replaySteps, requestAt } from './request-replay.js';

const test = suite('replay of a request');

const request = {
  ...aRequest('r'),
  ms: 9,
  outcome: 'recovered' as const,
  failedIn: 'dispatching' as const,
  states: [
    ['checking', 1],
    ['dispatching', 5],
    ['recovering', 2],
  ] as const,
};

test('its steps are the states that it entered, with their times, the final state last', () => {
  assert.equal(
    replaySteps(request).map(({ state, atMs }) => `${state} ${atMs}`),
    ['checking 0', 'dispatching 1', 'recovering 6', 'recovered 9'],
  );
});

test('at a step, its path ends where it was', () => {
  assert.equal(statesOf(requestAt(request, 0)), ['checking']);
  assert.equal(statesOf(requestAt(request, 1)), ['checking', 'dispatching']);
  assert.equal(requestAt(request, 1).failedIn, undefined);
  assert.equal(requestAt(request, 2).failedIn, 'dispatching');
  assert.equal(statesOf(requestAt(request, 3)), ['checking', 'dispatching', 'recovering', 'recovered']);
});

test('a request that is running has no final state yet, and one that was rejected only that', () => {
  assert.equal(replaySteps({ ...request, outcome: 'running' }).at(-1)?.state, 'recovering');
  assert.equal(replaySteps({ ...request, outcome: 'rejected', states: [] }).length, 1);
});

test('the sequence goes as far as the next state', () => {
  const messages = stepsOf(request);
  const last = (step: number) => {
    const { from, to, message } = messages[messagesUntil(messages, step) - 1] ?? {
      from: '',
      to: '',
      message: '',
    };
    return `${from} ${to} ${message}`;
  };
  assert.is(last(0), 'lifecycle lifecycle checking');
  assert.match(last(1), /^handler lifecycle threw/);
  assert.is(messagesUntil(messages, 3), messages.length);
});
