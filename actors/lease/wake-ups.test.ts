import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createActor, type EventObject, setup } from 'xstate';
import { type WakeUp, wakeUps } from './wake-ups.js';

const test = suite('wake-ups');

/** What a parent hears of the notifications. */
function listen(only?: WakeUp['type']) {
  const heard: string[] = [];
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
    on: { '*': { actions: ({ event }) => void heard.push(event.type) } },
  });
  const actor = createActor(parent).start();
  const notify = (channel: string) => subscribers.forEach((subscriber) => subscriber(channel));
  return { heard, notify, subscribers, stop: () => actor.stop() };
}

test('a commit wakes, and a lease that is given up is named as such', () => {
  const { heard, notify, stop } = listen();
  notify('svc');
  notify('svc_lease');
  assert.equal(heard, ['wake', 'freed']);
  stop();
});

test('who waits for a lease alone is not woken by a commit', () => {
  const { heard, notify, stop } = listen('freed');
  notify('svc');
  notify('svc_lease');
  assert.equal(heard, ['freed']);
  stop();
});

test('when its parent stops, its subscription ends', () => {
  const { subscribers, stop } = listen();
  assert.is(subscribers.size, 1);
  stop();
  assert.is(subscribers.size, 0);
});

test.run();
