import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { eventsAlone } from '../../runtime/database/notify.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { until } from '../../runtime/kit/until.js';
import { HostLeases } from '../../runtime/leases/host-leases.js';
import { InMemoryLeases } from '../../runtime/testing/in-memory-leases.js';
import { RunningTimers } from './running-timers.js';
import { timerDefaults } from './timer-runner.js';

const test = suite('running timers');

test('a commit that set no timer costs no look for timers, any other wakes their runner', async () => {
  const listeners = new Set<Parameters<NotificationSource['subscribe']>[0]>();
  const subscribe: NotificationSource['subscribe'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const notify = (...notified: readonly [string, string?]): void => {
    for (const listener of listeners) listener(...notified);
  };
  const leases = new InMemoryLeases(() => performance.now());
  const { reactions } = new InMemoryEventStore();
  let looks = 0;
  const timers = new RunningTimers(
    {
      store: {
        dueTimers: (...asked) => {
          looks++;
          return reactions.dueTimers(...asked);
        },
      },
      fire: () => Promise.resolve('fired'),
      isBusy: () => false,
      leases: new HostLeases(
        leases.of({ owner: newUuid(), version: '1', name: 'north', broadcast: null }),
        '1',
        { subscribe },
      ),
      setSchedules: () => Promise.resolve(),
      tryParkedAgain: () => Promise.resolve(),
    },
    { ...timerDefaults, pollMs: 60_000, restMs: 1 },
  );
  timers.start();
  await until(() => looks > 0);
  await delay(100);
  const before = looks;
  for (let n = 0; n < 5; n++) {
    notify('svc', eventsAlone);
    await delay(10);
  }
  assert.is(looks, before);
  notify('svc');
  await until(() => looks > before);
  await timers.stop();
});
