import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { perspectiveTable } from '../../runtime/perspectives/perspective-table.js';
import type { Service } from '../../runtime/service/service.js';
import { type Account, account, accounts, booked, closed } from '../testing/accounts-perspective.js';
import {
  modelOf,
  timeoutSignal,
  systemStreamLike,
  withPerspectiveHosts,
} from '../testing/perspective-hosts.js';
import { until } from '../../runtime/testing/until.js';

const test = suite('rebuilds of perspectives');

const perspective = accounts({ snapshotEvery: 3 });
const { table } = perspectiveTable(perspective);

async function book(service: Service, streams: readonly string[], count: number): Promise<void> {
  let last = 0;
  for (let n = 1; n <= count; n++)
    for (const stream of streams)
      last = (await service.eventStore.append(stream, booked(n))).globalPositions[0] ?? 0;
  await service.caughtUp('accounts', last, timeoutSignal());
}

/** The rows that a wrong `apply` would have left. */
const spoil = (owner: Database) =>
  owner.rows({ text: `UPDATE ${table} SET model = '{"amounts": [666], "sum": 666}', sum = 666` });

const sums = async (owner: Database, from = 'svc_per_accounts'): Promise<string[]> =>
  (await owner.rows({ text: `SELECT sum FROM ${from} ORDER BY id` })).map(([sum]) => sum ?? '');

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
      ...{ streamId: id, perspectiveName: 'accounts', mode: 'BlueGreen' },
      ...{ streamsProcessed: 3, eventsReplayed: 21 },
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
    assert.equal(await owner.rows({ text: 'SELECT perspective, key FROM svc_parked' }), [[table, bad]]);
  }));

test('InPlace empties the table and fills it again; parked keys are retried', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    let isMended = false;
    const { apply } = perspective;
    const mended = accounts({
      apply: (model, event) => {
        if ((event.payload as { text?: string }).text !== 'poison' || !isMended)
          return apply(model, event) as Account | null;
        return model;
      },
    });
    const service = host([mended]);
    const streams = [account(), account()];
    await service.eventStore.append(streams[0] ?? '', booked(4, 'poison'));
    await book(service, streams, 4);
    await spoil(owner);
    isMended = true;
    const { events } = await service.rebuild('accounts', { mode: RebuildMode.InPlace });
    assert.is(events, 9);
    assert.equal(await sums(owner), ['10', '10']);
    assert.equal(await owner.rows({ text: 'SELECT 1 FROM svc_parked' }), []);
    await book(service, streams, 1);
    assert.equal(await sums(owner), ['11', '11']);
  }));

test('SelectedStreams folds the named streams and leaves the others alone', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([perspective]);
    const streams = [account(), account()].sort();
    await book(service, streams, 4);
    await spoil(owner);
    const chosen = streams.slice(0, 1);
    const rebuilt = await service.rebuild('accounts', { mode: RebuildMode.SelectedStreams, streams: chosen });
    assert.equal([rebuilt.streams, rebuilt.events], [1, 4]);
    assert.equal(await sums(owner), ['10', '666']);
    await book(service, chosen, 1);
    assert.equal(await sums(owner), ['11', '666']);
  }));

test('rows that gather several streams are rebuilt in every mode', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const key = (event: StoredEvent) =>
      (event.payload as { amount: number }).amount % 2 === 0 ? 'even' : 'odd';
    const gathered = accounts({ key, late: 'apply' });
    const service = host([gathered]);
    const streams = [account(), account()];
    await book(service, streams, 4);
    for (const options of [
      { mode: RebuildMode.BlueGreen },
      { mode: RebuildMode.InPlace },
      { mode: RebuildMode.SelectedStreams, streams },
    ]) {
      await owner.rows({ text: `UPDATE ${perspectiveTable(gathered).table} SET sum = 666, model = '{}'` });
      await service.rebuild('accounts', options);
      assert.equal(await sums(owner), ['12', '8'], options.mode);
    }
  }));

test('an unknown name, a stream without events and invalid options are refused on one clear line', () =>
  withPerspectiveHosts(async ({ host }) => {
    const service = host([perspective]);
    await book(service, [account()], 1);
    const refusal = (name: string, options: object) =>
      service.rebuild(name, options as { mode: RebuildMode }).then(
        () => '',
        (error: unknown) => (error as Error).message,
      );
    assert.match(
      await refusal('cakes', { mode: 'InPlace' }),
      /^There is no perspective 'cakes'; there are: accounts\.$/,
    );
    assert.match(
      await refusal('accounts', { mode: 'Now' }),
      /has no mode 'Now'; use one of BlueGreen, InPlace, SelectedStreams/,
    );
    assert.match(
      await refusal('accounts', { mode: 'SelectedStreams' }),
      /needs streams with SelectedStreams/,
    );
    assert.match(
      await refusal('accounts', { mode: 'SelectedStreams', streams: [account()] }),
      /^The stream \S+ has no event that accounts takes\.$/,
    );
    await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
  }));

test('a cancelled rebuild leaves the old model, and reports that it failed', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([perspective]);
    await book(service, [account()], 6);
    const cancel = new AbortController();
    const rebuilding = service.rebuild('accounts', {
      ...{ mode: RebuildMode.BlueGreen, maxRate: 1, signal: cancel.signal },
      progress: ({ events }) => {
        if (events > 0) cancel.abort();
      },
    });
    const error = await rebuilding.then(
      () => '',
      (reason: unknown) => (reason as Error).message,
    );
    assert.match(error, /The rebuild of accounts was cancelled/);
    assert.equal(await sums(owner), ['21']);
    const events = await systemStreamLike(owner, 'PerspectiveRebuild%');
    assert.is(events.at(-1)?.[0], 'PerspectiveRebuildFailed');
    assert.is(events.at(-1)?.[1]['error'], 'cancelled');
    assert.ok(events.some(([type]) => type === 'PerspectiveRebuildProgress'));
    const left = "SELECT 1 FROM pg_class WHERE relname LIKE 'svc_new%'";
    assert.equal(await owner.rows({ text: left }), []);
    await until(() => service.perspectives[0]?.rebuild === undefined);
  }));
