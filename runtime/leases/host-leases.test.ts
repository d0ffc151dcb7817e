import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { NotificationSource } from '../database/notifications.js';
import { advanceUntil, withFakeTimeouts } from '../testing/fake-timeouts.js';
import { until } from '../kit/until.js';
import { HostLeases } from './host-leases.js';
import type { Leases } from './postgres-leases.js';
import type { LeaseGroup } from './shares.js';

const test = suite('the leases of a host');

/** A store with one host, which grants everything that it is asked for. */
function scene() {
  const asked: (readonly LeaseGroup[])[] = [];
  const released: (readonly string[])[] = [];
  const store = {
    failure: undefined as Error | undefined,
    answers: Promise.resolve(),
    head: 7,
    givenBack: Promise.resolve(),
    /** Leases whose rows another session holds. */
    heldElsewhere: [] as readonly string[],
  };
  const listeners = new Set<(channel: string) => void>();
  const leases: Leases = {
    owner: newUuid(),
    turn: async (groups) => {
      asked.push(groups);
      await store.answers;
      if (store.failure !== undefined) throw store.failure;
      const held = new Set(groups.flatMap(({ names, share }) => names.slice(0, share)));
      for (const name of store.heldElsewhere) held.delete(name);
      const remainingMs = new Map(store.heldElsewhere.map((name) => [name, 0]));
      const versions = { svc_flags: '7' };
      const answer = { history: 'one', perspectives: [], head: store.head, versions, broadcast: false };
      return { held, hosts: [], remainingMs, ...answer };
    },
    hosts: async () => [],
    release: async (names, left) => {
      released.push(names, left);
      await store.givenBack;
    },
  };
  const notifications = {
    subscribe: (listener: (channel: string) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as unknown as NotificationSource;
  const host = new HostLeases(leases, '1', notifications, { leaseMs: 60_000, renewMs: 20_000 });
  const notify = (channel: string) => listeners.forEach((listener) => listener(channel));
  return { host, store, asked, released, notify, listeners };
}

const member = (...names: string[]) => {
  const held: string[] = [];
  return {
    held,
    names: () => names,
    renewed: (turn: { readonly held: ReadonlySet<string> }) => {
      held.splice(0, held.length, ...names.filter((name) => turn.held.has(name)));
    },
  };
};

test('one question serves all members, and the first one takes nothing: a host does not know its share yet', async () => {
  const { host, asked } = scene();
  const [one, two] = [member('a', 'b'), member('c')];
  const leaves = [host.join(one), host.join(two)];
  await until(() => one.held.length === 2 && two.held.length === 1);
  assert.equal(
    asked[0]?.map(({ share }) => share),
    [0],
  );
  assert.equal(
    asked.at(-1)?.map(({ names, share }) => `${share} of ${names.join()}`),
    ['2 of a,b', '1 of c'],
  );
  for (const leave of leaves) await leave();
});

test('a follower that asks before any has joined does not keep later ones from asking', async () => {
  const { host } = scene();
  host.ask();
  const one = member('a');
  const leave = host.join(one);
  await until(() => one.held.length === 1);
  await leave();
});

test('it asks at once when a lease was released', async () => {
  const { host, asked, notify } = scene();
  const one = member('a');
  const leave = host.join(one);
  await until(() => one.held.length === 1);
  const { length } = asked;
  notify('svc');
  notify('svc_lease');
  await until(() => asked.length > length);
  assert.is(asked.length, length + 1);
  await leave();
});

test('a member that leaves gives back its own leases, the last one ends the questions', async () => {
  const { host, released, listeners } = scene();
  const [one, two] = [member('a'), member('b')];
  const leaves = [host.join(one), host.join(two)];
  await until(() => two.held.length === 1);
  await leaves[0]?.();
  assert.equal(released, [['a'], ['b']]);
  assert.is(listeners.size, 1);
  await leaves[1]?.();
  assert.equal(released.slice(2), [['b'], []]);
  assert.is(listeners.size, 0);
});

/** The member holds its lease, and the host waits for the answer to its next question. */
async function whileAsking(names: string[]) {
  const { host, store, asked, released } = scene();
  const one = member(...names);
  const leave = host.join({ ...one, names: () => names });
  await until(() => one.held.length === names.length);
  let answer = (): void => undefined;
  store.answers = new Promise((resolve) => (answer = resolve));
  const { length } = asked;
  host.ask();
  await until(() => asked.length > length);
  return { host, leave, released, answer };
}

test('leases are given back after the question on its way, which would take them again', async () => {
  const { leave, released, answer } = await whileAsking(['a']);
  const left = leave();
  assert.equal(released, []);
  answer();
  await left;
  assert.equal(released, [['a'], []]);
});

test('a lease that is wanted again before it is given back is kept', async () => {
  const names = ['a'];
  const { host, leave, released, answer } = await whileAsking(names);
  names.pop();
  const given = host.giveBack(['a']);
  names.push('a');
  host.ask();
  answer();
  await given;
  assert.equal(released, [[], ['a']]);
  await leave();
});

test('a lease that is wanted again while it is on its way back is asked for when it has arrived', async () => {
  const { host, store, asked } = scene();
  const names = ['a', 'b'];
  const one = member(...names);
  const leave = host.join({ ...one, names: () => names });
  await until(() => one.held.length === 2);
  let arrives = (): void => undefined;
  store.givenBack = new Promise((resolve) => (arrives = resolve));
  names.pop();
  const given = host.giveBack(['b']);
  await new Promise(setImmediate);
  names.push('b');
  const { length } = asked;
  host.ask();
  await until(() => asked.length > length);
  const lastNames = () => asked.at(-1)?.flatMap((group) => group.names);
  assert.equal(lastNames(), ['a']);
  arrives();
  await given;
  await until(() => lastNames()?.length === 2);
  await leave();
});

test('a watcher sees every answer until it ends that', async () => {
  const { host } = scene();
  const seen: (string | undefined)[] = [];
  const unwatch = host.watch(({ versions }) => void seen.push(versions['svc_flags']));
  const one = member('a');
  const leave = host.join(one);
  await until(() => one.held.length === 1);
  assert.equal(new Set(seen), new Set(['7']));
  const { length } = seen;
  unwatch();
  one.held.length = 0;
  host.ask();
  await until(() => one.held.length === 1);
  assert.is(seen.length, length);
  await leave();
});

test('an answer says that the log has grown once: its notification may be lost', async () => {
  const { host, store } = scene();
  const grown: boolean[] = [];
  const leave = host.join({ names: () => ['a'], renewed: ({ hasGrown }) => void grown.push(hasGrown) });
  const asked = async () => {
    const { length } = grown;
    host.ask();
    await until(() => grown.length > length);
    return grown.at(-1);
  };
  await until(() => grown.length > 1);
  assert.is(await asked(), false);
  store.head = 8;
  assert.is(await asked(), true);
  assert.is(host.head, 8);
  assert.is(await asked(), false);
  await leave();
});

test('a store that does not answer makes all leases late, until it answers again', async () => {
  const { host, store } = scene();
  const one = member('a');
  const leave = host.join(one);
  await until(() => one.held.length === 1);
  store.failure = new Error('no connection');
  host.ask();
  await until(() => host.renewal.late?.reason === 'no connection');
  assert.equal(host.renewal.late?.names, ['a']);
  store.failure = undefined;
  host.ask();
  await until(() => host.renewal.late === undefined);
  await leave();
});

test('a lease that is free and cannot be taken is asked for twice a second', () =>
  withFakeTimeouts(async (clock) => {
    const { host, store, asked } = scene();
    const leave = host.join(member('a'));
    await advanceUntil(clock, () => asked.length === 2);
    store.heldElsewhere = ['a'];
    host.ask();
    await advanceUntil(clock, () => host.renewal.late !== undefined);
    assert.is(asked.length, 6);
    await leave();
  }));
