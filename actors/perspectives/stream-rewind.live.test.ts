import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Service } from '../../runtime/service/service.js';
import { type Account, account, accounts, booked } from '../testing/accounts-perspective.js';
import {
  modelOf,
  timeoutSignal,
  systemStreamLike,
  withPerspectiveHosts,
} from '../testing/perspective-hosts.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('stream rewind');

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

async function append(
  service: Service,
  stream: Uuid,
  events: readonly Envelope[],
  occurredAt?: string,
): Promise<number> {
  const options = occurredAt === undefined ? {} : { occurredAt };
  const { globalPositions } = await service.eventStore.append(stream, events, options);
  return globalPositions.at(-1) ?? 0;
}

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);

const amounts = async (...args: Parameters<typeof modelOf>) => (await modelOf<Account>(...args))?.amounts;

test('a late event is folded where it happened, from the nearest snapshot before it, and everything is reported', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const stream = account();
    const both = [accounts({ snapshotEvery: 2 }), accounts({ name: 'ledger', snapshotEvery: 100 })];
    const service = host(both);
    const history = [booked(1), booked(2), booked(3), booked(4), booked(5)];
    for (const [index, event] of history.entries())
      await append(service, stream, [event], minutesAgo(60 - index * 10));
    const before = await append(service, account(), [booked(0)]);
    for (const { name } of both) await service.caughtUp(name, before ?? 0, timeoutSignal());
    const late = booked(99);
    const position = await append(service, stream, [late], minutesAgo(35));
    for (const { name } of both) await service.caughtUp(name, position, timeoutSignal());
    for (const view of ['svc_per_accounts', 'svc_per_ledger'])
      assert.equal(await amounts(owner, stream, view), [1, 2, 3, 99, 4, 5]);
    await until(async () => (await systemStreamLike(owner, '%Rewind%')).length === 6);
    const events = await systemStreamLike(owner, '%Rewind%');
    const [types, of] = [
      events.map(([type]) => type),
      (type: string) => events.filter(([name]) => name === type),
    ];
    assert.is(types[0], 'StreamRewindStarted');
    assert.is(types.at(-1), 'StreamRewindCompleted');
    const names = ['accounts', 'ledger'];
    const [[, started] = ['', {}]] = events;
    assert.equal(
      [started['streamId'], started['perspectiveNames'], started['triggerEventId']],
      [stream, names, late.messageId],
    );
    const begun = of('PerspectiveRewindStarted').map(([, data]) => [
      ...[
        data['perspectiveName'],
        data['hasSnapshot'],
        data['replayFromSnapshotEventId'],
        data['triggeringEventId'],
      ],
    ]);
    assert.equal(begun.toSorted(byName), [
      ['accounts', true, history[1]?.messageId, late.messageId],
      ['ledger', false, null, late.messageId],
    ]);
    const ended = of('PerspectiveRewindCompleted').map(([, data]) => [
      ...[data['perspectiveName'], data['eventsReplayed'], data['finalEventId']],
    ]);
    assert.equal(ended.toSorted(byName), [
      ['accounts', 4, history[4]?.messageId],
      ['ledger', 6, history[4]?.messageId],
    ]);
    const [, completed] = events.at(-1) ?? ['', {}];
    assert.equal([completed['totalEventsReplayed'], completed['perspectiveNames']], [10, names]);
    // A rewind is closed after its last event is stored.
    for (const table of ['svc_rewinds', 'svc_rewind_replays'])
      await until(async () => (await owner.rows({ text: `SELECT 1 FROM ${table}` })).length === 0);
  }));

test('several late events that wait become one rewind from the earliest', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const stream = account();
    const writer = host([]);
    const runner = host([accounts()]);
    await append(writer, stream, [booked(5)], minutesAgo(10));
    const first = await append(writer, stream, [booked(6)]);
    await runner.caughtUp('accounts', first, timeoutSignal());
    await runner.stop();
    const earliest = booked(1);
    await append(writer, stream, [booked(3)], minutesAgo(30));
    await append(writer, stream, [earliest], minutesAgo(50));
    const last = await append(writer, stream, [booked(2)], minutesAgo(40));
    await host([accounts()]).caughtUp('accounts', last, timeoutSignal());
    assert.equal(await amounts(owner, stream), [1, 2, 3, 5, 6]);
    await until(async () => (await systemStreamLike(owner, 'StreamRewindCompleted')).length === 1);
    const events = await systemStreamLike(owner, '%Rewind%');
    assert.is(events.length, 4);
    assert.is(events[0]?.[1]['triggerEventId'], earliest.messageId);
    assert.is(events[1]?.[1]['triggeringEventId'], earliest.messageId);
    assert.is(events[3]?.[1]['totalEventsReplayed'], 5);
  }));

test('an ordinary append is never late, even after one dated in the future', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const stream = account();
    const service = host([accounts()]);
    await append(service, stream, [booked(1)], new Date(Date.now() + 200_000).toISOString());
    const position = await append(service, stream, [booked(2), booked(3)]);
    await service.caughtUp('accounts', position, timeoutSignal());
    assert.equal(await amounts(owner, stream), [1, 2, 3]);
    const text =
      'SELECT late, occurred_at >= lag(occurred_at, 1, occurred_at) OVER (ORDER BY global_position) FROM svc_events';
    assert.equal(await owner.rows({ text }), Array(3).fill(['f', 't']));
    assert.equal(await systemStreamLike(owner, '%Rewind%'), []);
  }));

test('a perspective that is added later folds late events in order without reporting a rewind', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const stream = account();
    const writer = host([]);
    await append(writer, stream, [booked(2)], minutesAgo(20));
    const position = await append(writer, stream, [booked(1)], minutesAgo(30));
    await host([accounts()]).caughtUp('accounts', position, timeoutSignal());
    assert.equal(await amounts(owner, stream), [1, 2]);
    assert.equal(await systemStreamLike(owner, '%Rewind%'), []);
  }));

test('a row that gathers several streams applies late events as they arrive, or is rebuilt', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const gathered = { key: () => 'all' };
    const service = host([
      accounts({ ...gathered, late: 'apply' }),
      accounts({ ...gathered, name: 'ledger', late: 'rebuild' }),
    ]);
    const stream = account();
    await append(service, stream, [booked(2)], minutesAgo(20));
    const position = await append(service, stream, [booked(1)], minutesAgo(30));
    for (const name of ['accounts', 'ledger']) await service.caughtUp(name, position, timeoutSignal());
    assert.equal(await amounts(owner, 'all'), [2, 1]);
    const ledger = async () => (await modelOf<Account>(owner, 'all', 'svc_per_ledger'))?.amounts;
    await until(async () => (await ledger())?.[0] === 1);
    assert.equal(await ledger(), [1, 2]);
    assert.equal(await owner.rows({ text: 'SELECT * FROM svc_rewinds' }), []);
  }));
