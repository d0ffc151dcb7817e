import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { inMemoryCursorLog } from '../../runtime/testing/in-memory-cursor-log.js';
import { until } from '../../runtime/testing/until.js';
import { OrderPlaced, reserveStock, warehouse } from '../testing/stock-reactions.js';
import { EventFigures } from './event-figures.js';
import { reactionWork } from './reaction-work.js';
import { type ReactionsPorts, RunningReactions } from './running-reactions.js';

const test = suite('the reactions of a host');

const noTimers = {
  names: [],
  hasSchedules: false,
  setSchedules: () => Promise.resolve(),
  start: () => undefined,
  hold: () => undefined,
  wake: () => undefined,
  stop: () => Promise.resolve(),
};

/** A host alone: it holds everything, and looks as often as it can. */
function alone() {
  const { store, ports, place, reserved } = warehouse();
  const scene = { history: 'first', turns: 0 };
  const taken: string[] = [];
  const leases: ReactionsPorts['leases'] = {
    turn: (names) => {
      scene.turns++;
      const workers = [{ owner: 'north', version: '0' }];
      return Promise.resolve({ held: new Set(names), workers, freeInMs: Infinity, history: scene.history });
    },
    workers: () => Promise.resolve([{ owner: 'north', version: '0' }]),
    release: () => Promise.resolve(),
  };
  const reactions: ReactionsPorts['reactions'] = {
    takeCursor: (name, start) => {
      taken.push(name);
      return store.reactions.takeCursor(name, start);
    },
    asideKeys: (cursor) => store.reactions.asideKeys(cursor),
    dueTimers: (parts, limit) => store.reactions.dueTimers(parts, limit),
    hasTimers: () => store.reactions.hasTimers(),
    process: (name, key) => store.reactions.process(name, key),
    timersOf: (kind, name, key) => store.reactions.timersOf(kind, name, key),
    parkedTimers: (...args) => store.reactions.parkedTimers(...args),
    isReserved: (names) => store.reactions.isReserved(names),
  };
  const listeners = new Set<(channel: string) => void>();
  const notifications = {
    subscribe: (listener: (channel: string) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as unknown as NotificationSource;
  const host = new RunningReactions(
    {
      ...ports(),
      ...{ reactions, leases, notifications, version: '0', leaseMs: 4_000, renewMs: 5 },
      logOf: () => inMemoryCursorLog(store, { events: [OrderPlaced] }),
      figuresOf: () => new EventFigures(),
    },
    [reactionWork(reserveStock)],
    noTimers,
  );
  const wake = () => listeners.forEach((listener) => listener('svc'));
  return { host, scene, taken, place, reserved, wake };
}

test('when the store goes on from another history, every cursor is taken again, once', async () => {
  const { host, scene, taken, place, reserved, wake } = alone();
  const running = host.start((error) => assert.unreachable(String(error)));
  try {
    await until(() => taken.length === 8);
    const { turns } = scene;
    await until(() => scene.turns > turns + 3);
    assert.is(taken.length, 8, 'a cursor that is held is not taken again');
    scene.history = 'second';
    await until(() => taken.length === 16);
    assert.is(new Set(taken).size, 8);
    await place(newUuid(), 'tea');
    wake();
    await until(async () => (await reserved()).length === 1);
    assert.is(taken.length, 16);
  } finally {
    await running.stop();
  }
});
