import * as assert from 'uvu/assert';
import { createMachine } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { InspectionFeed } from './inspection-feed.js';
import { framesOfSteps, stateValueOf } from './frames.js';

const test = suite('frames of steps');

const machine = createMachine({
  id: 'baking',
  context: { secret: 'sourdough' },
  initial: 'mixing',
  states: { mixing: { on: { Mixed: 'baked' } }, baked: { type: 'final' } },
});
const shown = {
  name: 'baking',
  key: 'loaf-7',
  machine,
  steps: [{ event: 'Mixed', to: 'baked' }],
  hasEnded: true,
};

interface Frame {
  readonly type: string;
  readonly sessionId: string;
  readonly rootId: string;
  readonly name?: string;
  readonly definition?: string;
  readonly event?: { readonly type: string };
  readonly snapshot?: { readonly status: string; readonly value?: unknown; readonly context?: unknown };
}

test('an instance is an actor with its machine, its event and its state, and without its context', () => {
  const frames = framesOfSteps('oven-1', shown).map((text) => JSON.parse(text) as Frame);
  assert.equal(
    frames.map(({ type, sessionId, event }) => [type, sessionId, event?.type]),
    [
      ['@xstate.actor', 'oven-1/baking/loaf-7', undefined],
      ['@xstate.event', 'oven-1/baking/loaf-7', 'Mixed'],
      ['@xstate.snapshot', 'oven-1/baking/loaf-7', 'Mixed'],
    ],
  );
  assert.equal([frames[2]?.snapshot?.status, frames[2]?.snapshot?.value], ['done', 'baked']);
  assert.ok((JSON.parse(frames[0]?.definition ?? '') as { states: object }).states);
  assert.not.match(framesOfSteps('oven-1', shown).join(), 'sourdough');
});

test('states within states and beside each other are values of XState', () => {
  assert.is(stateValueOf('baked'), 'baked');
  assert.equal(stateValueOf('open.waiting.long'), { open: { waiting: 'long' } });
  assert.equal(stateValueOf('stock.reserved, payment.due'), { stock: 'reserved', payment: 'due' });
  assert.equal(stateValueOf('stock, payment.due'), { stock: {}, payment: 'due' });
});

test('steps are shown to those who watch, so many per second, and take no room from requests', () => {
  const feed = new InspectionFeed({ host: 'oven-1', tracesPerSecond: 2 });
  feed.showActor(shown);
  const received: string[] = [];
  feed.attach((frame) => void received.push(frame));
  for (let n = 0; n < 5; n++) feed.showActor(shown);
  assert.is(received.length, 6);
  assert.ok(feed.open('1', 'Bake') !== undefined);
});
