import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import type { Service } from '../../runtime/service/service.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { type Account, account, accounts, booked, type Booked } from '../testing/accounts-perspective.js';
import {
  modelOf,
  positionOf,
  stateOf,
  timeoutSignal,
  systemStreamLike,
  withPerspectiveHosts,
} from '../testing/perspective-hosts.js';
import { mustComplete } from '../testing/blocking-apply.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('a perspective that fails');

test('a key whose apply throws is parked and reported, the others continue, and its release folds what it missed', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    let isMended = false;
    const apply = (model: Account, event: StoredEvent): Account => {
      const { amount, text } = event.payload as Booked;
      if (text === 'poison' && !isMended) throw new RangeError('cannot book poison');
      return { amounts: [...model.amounts, amount], sum: model.sum + amount };
    };
    const service = host([accounts({ apply, snapshotEvery: 2 })]);
    const [bad, good] = [account(), account()];
    const poison = booked(4, 'poison');
    await service.eventStore.append(bad, [booked(1), booked(2), booked(3), poison]);
    await service.eventStore.append(bad, booked(5));
    const position = await positionOf(service.eventStore.append(good, [booked(1), booked(1)]));
    await service.caughtUp('accounts', position, timeoutSignal());
    assert.equal((await modelOf<Account>(owner, good))?.amounts, [1, 1]);
    assert.equal((await modelOf<Account>(owner, bad))?.amounts, [1, 2, 3]);
    await until(() => stateOf(service)?.parked === 1);
    const parked = await owner.rows({ text: 'SELECT key, message_id, error, attempts FROM svc_stuck_work' });
    assert.equal(parked, [[bad, poison.messageId, 'RangeError: cannot book poison', '3']]);
    await until(async () => (await systemStreamLike(owner, 'PerspectiveFailed')).length === 1);
    const [[, failed] = ['', {}]] = await systemStreamLike(owner, 'PerspectiveFailed');
    assert.equal(
      [failed['perspectiveName'], failed['streamId'], failed['eventId'], failed['attempt']],
      ['accounts', bad, poison.messageId, 3],
    );
    isMended = true;
    assert.is(await service.parts.perspectives?.release('accounts', bad), 1);
    await until(() => stateOf(service)?.parked === 0);
    assert.equal((await modelOf<Account>(owner, bad))?.amounts, [1, 2, 3, 4, 5]);
    await service.caughtUp(
      'accounts',
      await positionOf(service.eventStore.append(bad, booked(6))),
      timeoutSignal(),
    );
    assert.equal((await modelOf<Account>(owner, bad))?.amounts, [1, 2, 3, 4, 5, 6]);
  }));

test('a host that starts with fixed code folds what another one parked, late events included', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const stream = account();
    const hourAgo = { occurredAt: new Date(Date.now() - 3_600_000).toISOString() };
    const broken = host([accounts({ snapshotEvery: 1 })], { attempts: 1 });
    await broken.eventStore.append(stream, [booked(2), booked(3, 'poison')]);
    const position = await positionOf(broken.eventStore.append(stream, booked(1), hourAgo));
    await broken.caughtUp('accounts', position, timeoutSignal());
    await until(() => stateOf(broken)?.parked === 1);
    await broken.stop();
    const apply = (model: Account, event: StoredEvent): Account => {
      const { amount } = event.payload as Booked;
      return { amounts: [...model.amounts, amount], sum: model.sum + amount };
    };
    host([accounts({ apply, snapshotEvery: 1 })]);
    await until(async () => (await modelOf<Account>(owner, stream))?.amounts.length === 3);
    assert.equal((await modelOf<Account>(owner, stream))?.amounts, [1, 2, 3]);
    assert.equal(await owner.rows({ text: 'SELECT * FROM svc_stuck_work' }), []);
    await until(async () => (await owner.rows({ text: 'SELECT * FROM svc_rewinds' })).length === 0);
  }));

const wrongs: readonly (readonly [string, object, RegExp])[] = [
  ['returns undefined', { apply: () => undefined }, /return the model, or null/],
  ['returns a promise', { apply: () => Promise.resolve({}) }, /must be synchronous/],
  ['makes a model without JSON', { apply: () => ({ at: 1n }) }, /BigInt/],
  ['makes a model with U+0000', { apply: () => ({ text: '\0' }) }, /U\+0000/],
  [
    'fills a column with another type',
    { columns: { sum: { type: 'uuid', of: () => 'x' } } },
    /Column 'sum' is uuid/,
  ],
  ['has a key that throws', { key: () => assert.unreachable('no key'), late: 'apply' }, /no key/],
  ['has an empty key', { key: () => '', late: 'apply' }, /key must return a text/],
  ['begins with nothing', { initial: () => assert.unreachable('no beginning') }, /no beginning/],
];

/** All of them on one host, behind the same event. */
const wrongOnes = wrongs.map(([, over], n) => accounts({ name: `wrong-${n}`, ...over }));

const whileParked = sharedIn<{ readonly owner: Database; readonly service: Service; readonly stream: Uuid }>(
  test,
  (body) =>
    withPerspectiveHosts(async ({ owner, host }) => {
      const service = host([...wrongOnes, accounts()], { attempts: 1 });
      const stream = account();
      const position = await positionOf(service.eventStore.append(stream, booked(1)));
      for (const { name } of [...wrongOnes, accounts()])
        await service.caughtUp(name, position, timeoutSignal());
      await body({ owner, service, stream });
    }),
);

for (const [n, [what, , error]] of wrongs.entries()) {
  test(`a perspective that ${what} parks the key with the reason; another one is not affected`, () =>
    whileParked(async ({ owner, service, stream }) => {
      const wrong = wrongOnes[n];
      assert.ok(wrong);
      await until(() => stateOf(service, wrong.name)?.parked === 1);
      const text = 'SELECT error FROM svc_stuck_work WHERE follower = $1';
      const [row] = await owner.rows({ text, values: [perspectiveTable(wrong).table] });
      assert.match(row?.[0] ?? '', error);
      assert.equal((await modelOf<Account>(owner, stream))?.amounts, [1]);
    }));
}

test('when the store refuses a batch, the key at fault is found', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([accounts()], { attempts: 1 });
    await service.parts.perspectives?.started;
    const { table } = perspectiveTable(accounts());
    await owner.rows({ text: `ALTER TABLE ${table} ADD CHECK (sum < 100)` });
    const [bad, before, after] = [account(), account(), account()];
    await service.eventStore.append(before, booked(7));
    await service.eventStore.append(bad, booked(100));
    const all = [before, after].map((stream) => positionOf(service.eventStore.append(stream, booked(1))));
    await service.caughtUp('accounts', Math.max(...(await Promise.all(all))), timeoutSignal());
    const [row] = await owner.rows({ text: 'SELECT key, error FROM svc_stuck_work' });
    assert.is(row?.[0], bad);
    assert.match(row?.[1] ?? '', /violates check constraint/);
    assert.equal((await modelOf<Account>(owner, before))?.amounts, [7, 1]);
  }));

test('of several rows of one event, only the one that the store refuses stays parked', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const key = ({ payload }: StoredEvent) => (payload as Booked).text.split(' ');
    const split = accounts({ key, late: 'apply' });
    const service = host([split], { attempts: 1 });
    await service.parts.perspectives?.started;
    const { table } = perspectiveTable(split);
    await owner.rows({ text: `ALTER TABLE ${table} ADD CHECK (id <> 'bad' OR sum < 100)` });
    await service.eventStore.append(account(), booked(7, 'bad good'));
    await service.eventStore.append(account(), booked(100, 'good bad other'));
    const position = await positionOf(service.eventStore.append(account(), booked(1, 'good bad')));
    await service.caughtUp('accounts', position, timeoutSignal());
    await until(async () => (await modelOf<Account>(owner, 'other'))?.sum === 100);
    await until(async () => (await modelOf<Account>(owner, 'good'))?.sum === 108);
    assert.equal((await modelOf<Account>(owner, 'bad'))?.amounts, [7]);
    assert.equal(await owner.rows({ text: 'SELECT key FROM svc_stuck_work' }), [['bad']]);
    await owner.rows({ text: `ALTER TABLE ${table} DROP CONSTRAINT ${table}_check` });
    await service.parts.perspectives?.release('accounts', 'bad');
    await until(async () => (await modelOf<Account>(owner, 'bad'))?.sum === 108);
  }));

test('an event whose keys could not be read joins each of its rows when they can, in its place in the log', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    let isMended = false;
    const key = ({ payload }: StoredEvent) => {
      const { amount, text } = payload as Booked;
      if (amount === 2 && !isMended) throw new RangeError('two');
      return text.split(' ');
    };
    const service = host([accounts({ key, late: 'apply', snapshotEvery: 1 })], { attempts: 1 });
    for (const [amount, text] of [
      [1, 'a b'],
      [2, 'a b c'],
      [3, 'a'],
    ] as const)
      await service.eventStore.append(account(), booked(amount, text));
    await until(async () => (await modelOf<Account>(owner, 'a'))?.sum === 4);
    await until(() => stateOf(service)?.parked === 1);
    isMended = true;
    await service.parts.perspectives?.release('accounts');
    await until(() => stateOf(service)?.parked === 0);
    const rows = await Promise.all(['a', 'b', 'c'].map((id) => modelOf<Account>(owner, id)));
    assert.equal(
      rows.map((row) => row?.amounts),
      [[1, 2, 3], [1, 2], [2]],
    );
  }));

test('an apply that blocks the host completes, although the lease expires', () => mustComplete(1_200));
