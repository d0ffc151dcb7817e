import * as assert from 'uvu/assert';
import { createActor, type EventObject, setup } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { type WakeUp, wakeUps } from './wake-ups.js';

const test = suite('wake-ups');

/** What a parent receives of the notifications. */
function listen(only?: WakeUp['type']) {
  const received: string[] = [];
  const subscribers = new Set<(channel: string) => void>();
  const notifications = {
    subscribe: (notify: (channel: string) => void) => {
      subscribers.add(notify);
      return () => void subscribers.delete(notify);
    },
  };
  const input = { notifications, ...(only === undefined ? {} : { only }) };
  const parent = setup({ types: { events: {} as EventObject }, actors: { wakeUps } }).createMachine({
    invoke: { src: 'wakeUps', input, onError: {} },
    on: { '*': { actions: ({ event }) => void received.push(event.type) } },
  });
  const actor = createActor(parent).start();
  const notify = (channel: string) => subscribers.forEach((subscriber) => subscriber(channel));
  return { received, notify, subscribers, stop: () => actor.stop() };
}

test('a commit wakes, and a released lease is reported as freed', () => {
  const { received, notify, stop } = listen();
  notify('svc');
  notify('svc_lease');
  notify('svc_access');
  assert.equal(received, ['wake', 'freed']);
  stop();
});

test('a subscriber that waits only for a lease is not woken by a commit', () => {
  const { received, notify, stop } = listen('freed');
  notify('svc');
  notify('svc_lease');
  assert.equal(received, ['freed']);
  stop();
});

test('when its parent stops, its subscription ends', () => {
  const { subscribers, stop } = listen();
  assert.is(subscribers.size, 1);
  stop();
  assert.is(subscribers.size, 0);
});
