import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { type Account, account, accounts, booked, closed } from '../testing/accounts-perspective.js';
import {
  modelOf,
  timeoutSignal,
  systemStreamLike,
  withPerspectiveHosts,
} from '../testing/perspective-hosts.js';
import { perspective, table, book, spoil, sums } from '../testing/rebuilt-accounts.js';

const test = suite('rebuilds of perspectives');

test('BlueGreen builds a shadow from empty, swaps it in, keeps the old table, and reports it', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([perspective]);
    const streams = [account(), account(), account()];
    await book(service, streams, 7);
    await spoil(owner);
    const {
      id,
      mode,
      streams: count,
      events,
    } = await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
    assert.equal([mode, count, events], ['BlueGreen', 3, 21]);
    assert.equal(await sums(owner), ['28', '28', '28']);
    assert.equal(await sums(owner, table.replace('svc_per', 'svc_old_per')), ['666', '666', '666']);
    await book(service, streams, 1);
    assert.equal(await sums(owner), ['29', '29', '29']);
    const [started, ...others] = await systemStreamLike(owner, 'PerspectiveRebuild%');
    assert.is(started?.[0], 'PerspectiveRebuildStarted');
    const { startedAt, ...payload } = started?.[1] ?? {};
    assert.equal(payload, { streamId: id, perspectiveName: 'accounts', mode: 'BlueGreen', totalStreams: 3 });
    assert.ok(Date.parse(String(startedAt)) > 0);
    const [type, { duration, ...figures }] = others.at(-1) ?? ['', {}];
    assert.is(type, 'PerspectiveRebuildCompleted');
    assert.match(String(duration), /^PT/);
    assert.equal(figures, {
      streamId: id,
      perspectiveName: 'accounts',
      mode: 'BlueGreen',
      streamsProcessed: 3,
      eventsReplayed: 21,
    });
  }));

for (const mode of [RebuildMode.BlueGreen, RebuildMode.InPlace]) {
  test(`${mode} creates a dropped table again`, () =>
    withPerspectiveHosts(async ({ owner, host }) => {
      const service = host([perspective], { firstBackoffMs: 20, maxBackoffMs: 100 });
      const streams = [account(), account()];
      await book(service, streams, 4);
      await owner.rows({ text: `DROP TABLE ${table} CASCADE` });
      assert.is((await service.rebuild('accounts', { mode })).events, 8);
      assert.equal(await sums(owner), ['10', '10']);
      await book(service, streams, 1);
      assert.equal(await sums(owner), ['11', '11']);
    }));
}

test('events after a swap build on the new model, not on what the runner remembers', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    let factor = 1;
    const apply = ({ amounts, sum }: Account, { payload }: StoredEvent): Account => ({
      amounts,
      sum: sum + factor * (payload as { amount: number }).amount,
    });
    const service = host([accounts({ apply })]);
    const streams = [account()];
    await book(service, streams, 3);
    factor = 10;
    await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
    await book(service, streams, 1);
    assert.equal(await sums(owner), ['70']);
    factor = 100;
    await service.rebuild('accounts', { mode: RebuildMode.SelectedStreams, streams });
    await book(service, streams, 1);
    assert.equal(await sums(owner), ['800']);
  }));

test('a second rebuild replaces the kept table of the first, and the indexes stay those of the table', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([perspective]);
    await book(service, [account()], 2);
    await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
    await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
    const rows = await owner.rows({
      text: `SELECT indexname FROM pg_indexes WHERE tablename = $1 AND indexname NOT LIKE '%_pkey%' ORDER BY 1`,
      values: [table],
    });
    const hash = perspectiveTable(perspective).hash.slice(0, 8);
    assert.equal(rows, [[`svc_by_${hash}_id`], [`svc_by_${hash}_sum`]]);
    assert.equal(await sums(owner), ['3']);
  }));

test('late events are folded in order, deleted rows stay deleted, and a failing key is parked', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([perspective]);
    const [late, gone, bad] = [account(), account(), account()];
    const at = (minutes: number) => ({ occurredAt: new Date(Date.now() - minutes * 60_000).toISOString() });
    await service.eventStore.append(late, booked(1), at(30));
    await service.eventStore.append(late, booked(3), at(10));
    await service.eventStore.append(late, booked(2), at(20));
    await service.eventStore.append(gone, booked(1));
    await service.eventStore.append(gone, closed());
    await service.eventStore.append(bad, booked(5));
    await service.eventStore.append(bad, booked(6, 'poison'));
    const { globalPositions } = await service.eventStore.append(bad, booked(7));
    await service.caughtUp('accounts', globalPositions[0] ?? 0, timeoutSignal());
    await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
    assert.equal((await modelOf<Account>(owner, late))?.amounts, [1, 2, 3]);
    assert.is(await modelOf(owner, gone), undefined);
    assert.equal((await modelOf<Account>(owner, bad))?.amounts, [5]);
    assert.equal(await owner.rows({ text: 'SELECT follower, key FROM svc_stuck_work' }), [[table, bad]]);
  }));
