import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { HostLeases } from '../../runtime/leases/host-leases.js';
import type { Leases } from '../../runtime/leases/postgres-leases.js';
import { inMemoryCursorLog } from '../../runtime/testing/in-memory-cursor-log.js';
import { until } from '../../runtime/kit/until.js';
import { OrderPlaced, reserveStock, warehouse } from '../testing/stock-reactions.js';
import { EventFigures } from './event-figures.js';
import { reactionWork } from './reaction-work.js';
import { type ReactionsPorts, RunningReactions } from './running-reactions.js';

const test = suite('the reactions of a host');

/** Hosts that act as if they held every lease, and look as often as they can. */
function believing(reserving?: Parameters<typeof warehouse>[1]) {
  const { store, ports, place, reserved } = warehouse(reserveStock, reserving);
  const scene = { history: 'first', turns: 0, head: 0, fails: '' };
  const taken: string[] = [];
  const reactions: ReactionsPorts['reactions'] = {
    takeCursor: (name, start) => {
      taken.push(name);
      if (scene.fails === name) throw new RangeError('this cursor is broken');
      return store.reactions.takeCursor(name, start);
    },
    asideKeys: (cursor) => store.reactions.asideKeys(cursor),
    retryingKeys: (cursor, after, limit) => store.reactions.retryingKeys(cursor, after, limit),
    dueTimers: (parts, limit) => store.reactions.dueTimers(parts, limit),
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
  const turn: Leases['turn'] = (groups) => {
    scene.turns++;
    const names = groups.flatMap((group) => group.names);
    const { history, head } = scene;
    return Promise.resolve({
      held: new Set(names),
      hosts: [],
      remainingMs: new Map(),
      head,
      versions: {},
      broadcast: false,
      history,
      perspectives: [],
    });
  };
  const leases = () => {
    const granted: Leases = { owner: newUuid(), turn, hosts: async () => [], release: async () => undefined };
    return new HostLeases(granted, '0', notifications, { leaseMs: 4_000, renewMs: 5 });
  };
  const host = () =>
    new RunningReactions(
      {
        ...ports(),
        reactions,
        leases: leases(),
        logOf: () => inMemoryCursorLog(store, { events: [OrderPlaced] }),
        figuresOf: () => new EventFigures(),
      },
      [reactionWork(reserveStock)],
    );
  const wake = () => listeners.forEach((listener) => listener('svc'));
  return { host, scene, taken, place, reserved, wake };
}

const mustNotCrash = (error: unknown) => assert.unreachable(String(error));

test('when the store goes on from another history, every cursor is taken again, once', async () => {
  const { host, scene, taken, place, reserved, wake } = believing();
  const running = host().start(mustNotCrash);
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

test('an event whose notification is lost is handled after the next turn', async () => {
  const { host, scene, taken, place, reserved } = believing();
  const running = host().start(mustNotCrash);
  try {
    await until(() => taken.length === 8);
    await place(newUuid(), 'tea');
    const { turns } = scene;
    await until(() => scene.turns > turns + 3);
    assert.equal(await reserved(), []);
    scene.head = 1;
    await until(async () => (await reserved()).length === 1);
  } finally {
    await running.stop();
  }
});

test('the followers of a reaction are counted by state, with the error of one that has failed', async () => {
  const { host, scene } = believing();
  scene.fails = 'reaction/reserve-stock/3';
  const reactions = host();
  const running = reactions.start(mustNotCrash);
  try {
    await until(() => reactions.followers[0]?.states['failed'] === 1);
    const { name } = reserveStock;
    const [states, error] = [{ failed: 1, running: 7 }, 'this cursor is broken'];
    assert.equal(reactions.followers, [{ kind: 'reaction', name, states, error }]);
    scene.fails = '';
    await until(() => reactions.followers[0]?.states['running'] === 8);
    assert.is(reactions.followers[0]?.error, undefined);
  } finally {
    await running.stop();
  }
});

test('two hosts that both believe that they hold a cursor do not overtake each other forever', async () => {
  const stepMs = 200;
  const { host, taken, place, reserved, wake } = believing(() => pause(stepMs));
  const first = host().start(mustNotCrash);
  await until(() => taken.length === 8);
  await place(newUuid(), 'tea');
  wake();
  // Each would take the cursor again in the middle of the other's step.
  await pause(stepMs / 2);
  const second = host().start(mustNotCrash);
  try {
    await until(async () => (await reserved()).length === 1);
    await place(newUuid(), 'salt');
    wake();
    await until(async () => (await reserved()).length === 2);
  } finally {
    await Promise.all([first.stop(), second.stop()]);
  }
});
