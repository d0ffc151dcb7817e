import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { HostTurn } from '../../runtime/leases/host-leases.js';
import { until } from '../../runtime/kit/until.js';
import type { FollowerWork, RunEnd } from './follower-machine.js';
import { type FollowerLeases, Followers, startFollower } from './followers.js';

const test = suite('the followers of a host');

const settings = { restMs: 1, firstBackoffMs: 1, maxBackoffMs: 2 };

type Member = Parameters<FollowerLeases['join']>[0];

/** Leases that the test hands out. */
function scene() {
  const members = new Set<Member>();
  const seen = { asked: 0, trouble: undefined as Error | undefined };
  const leases: FollowerLeases = {
    ask: () => {
      seen.asked++;
      if (seen.trouble !== undefined) throw seen.trouble;
    },
    giveBack: () => Promise.resolve(),
    join: (member) => {
      members.add(member);
      return async () => void members.delete(member);
    },
    notifications: { subscribe: () => () => undefined },
  };
  const names = () => [...members].flatMap((member) => member.names());
  const answer = (held: readonly string[], hasGrown = false) => {
    for (const member of members)
      member.renewed({ held: new Set(held), hasGrown } as Partial<HostTurn> as HostTurn);
  };
  return { leases, seen, members, names, answer };
}

/** A work whose runs end at once. */
function workNamed(lease: string, end: () => RunEnd = () => 'caught up') {
  const runs: string[] = [];
  const run: FollowerWork['run'] = async () => {
    runs.push(lease);
    return end();
  };
  return { runs, kind: 'perspective', name: lease, lease, run, forget: () => undefined };
}

test('those whose leases this host holds run, and again when an answer says that the log has grown', async () => {
  const { leases, answer } = scene();
  const followers = new Followers(leases);
  const [orders, stock] = [workNamed('orders'), workNamed('stock')];
  for (const work of [orders, stock]) followers.start(work, settings, { crashed: () => undefined });
  followers.join();
  answer(['orders']);
  const [first, second] = followers.all;
  await until(() => first?.state === 'waiting');
  assert.equal([first?.holdsLease, second?.holdsLease, stock.runs], [true, false, []]);
  answer(['orders']);
  assert.is(orders.runs.length, 1);
  answer(['orders'], true);
  await until(() => orders.runs.length === 2);
  await followers.stop();
});

test('one that crashes is not named anymore, and the others go on', async () => {
  const { leases, seen, names, answer } = scene();
  const followers = new Followers(leases);
  const crashes: unknown[] = [];
  const crashed = (error: unknown): void => void crashes.push(error);
  followers.start(
    workNamed('orders', () => 'overtaken'),
    settings,
    { crashed },
  );
  const stock = workNamed('stock');
  followers.start(stock, settings, { crashed });
  followers.join();
  seen.trouble = new RangeError('the lease is torn');
  answer(['orders', 'stock']);
  await until(() => crashes.length === 1);
  assert.equal([names(), crashes], [['stock'], [seen.trouble]]);
  answer(['stock'], true);
  await until(() => stock.runs.length > 1);
  await followers.stop();
});

test('one that is started later asks for its lease at once', () => {
  const { leases, seen, names } = scene();
  const followers = new Followers(leases);
  followers.join();
  followers.start(workNamed('orders'), settings, { crashed: () => undefined });
  assert.equal([seen.asked, names()], [1, ['orders']]);
  return followers.stop();
});

test('the only one of its kind leaves the leases when it crashes, and when it stops', async () => {
  const { leases, seen, members, answer } = scene();
  let crashes = 0;
  const work = workNamed('outbox', () => 'overtaken');
  startFollower(work, leases, settings, () => void crashes++);
  seen.trouble = new RangeError('the lease is torn');
  answer(['outbox']);
  await until(() => crashes === 1 && members.size === 0);
  const { stop } = startFollower(workNamed('outbox'), leases, settings);
  assert.is(members.size, 1);
  await stop();
  assert.is(members.size, 0);
});

test('many commits during a run are one message to its machine, and one more run', async () => {
  const { leases, answer } = scene();
  const followers = new Followers(leases);
  let end: () => void = () => undefined;
  let changes = 0;
  const work = workNamed('orders');
  const run: FollowerWork['run'] = async (signal) => {
    const ended = new Promise<void>((resolve) => (end = resolve));
    const found = await work.run(signal);
    await ended;
    return found;
  };
  const observer = { crashed: () => undefined, changed: () => void changes++ };
  const follower = followers.start({ ...work, run }, settings, observer);
  followers.join();
  answer(['orders']);
  await until(() => work.runs.length === 1);
  const before = changes;
  for (let n = 0; n < 5; n++) follower.wake();
  assert.is(changes, before + 1);
  end();
  await until(() => work.runs.length === 2);
  end();
  await until(() => follower.state === 'waiting');
  assert.is(work.runs.length, 2);
  await followers.stop();
});
