import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { actorFrame, eventFrame, snapshotFrame } from './frames.js';

const test = suite('frames');

const of = { rootId: 'oven-1/7', sessionId: 'oven-1/7', at: 1_700_000_000_000 };
const parsed = (frame: string): unknown => JSON.parse(frame);
const base = {
  rootId: 'oven-1/7',
  sessionId: 'oven-1/7',
  createdAt: '1700000000000',
  id: null,
  _version: '0.7.2',
};

test('an actor is introduced with its machine as text, and without its context', () => {
  assert.equal(parsed(actorFrame(of, 'BakeBread', '{"id":"x"}')), {
    type: '@xstate.actor',
    ...base,
    name: 'BakeBread',
    definition: '{"id":"x"}',
    snapshot: {
      status: 'active',
      tags: [],
      children: {},
      context: '[redacted]',
      input: '[redacted]',
      output: '[redacted]',
    },
  });
});

test('a message has its type, its source and the name of its error', () => {
  const error = { name: 'TypeError', code: undefined };
  assert.equal(parsed(eventFrame(of, { type: 'failed', error }, 'oven-1/7/store')), {
    type: '@xstate.event',
    ...base,
    event: { type: 'failed', error: { name: 'TypeError' } },
    sourceId: 'oven-1/7/store',
  });
});

test('a state has its value and status', () => {
  const frame = parsed(snapshotFrame(of, { type: 'passed' }, { status: 'active', value: 'dispatching' }));
  assert.is((frame as { snapshot: { value: string } }).snapshot.value, 'dispatching');
  assert.equal((frame as { event: object }).event, { type: 'passed' });
});
