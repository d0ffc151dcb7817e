import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { type Account, account, accounts, booked } from '../testing/accounts-perspective.js';
import { systemStreamLike, withPerspectiveHosts } from '../testing/perspective-hosts.js';
import { until } from '../../runtime/kit/until.js';
import { perspective, book, spoil, sums } from '../testing/rebuilt-accounts.js';

const test = suite('rebuilds of perspectives');

test('InPlace empties the table and fills it again; parked keys are retried', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    let isMended = false;
    const { apply } = perspective;
    const mended = accounts({
      apply: (model, event, key) => {
        if ((event.payload as { text?: string }).text !== 'poison' || !isMended)
          return apply(model, event, key) as Account | null;
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
    assert.equal(await owner.rows({ text: 'SELECT 1 FROM svc_stuck_work' }), []);
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
      mode: RebuildMode.BlueGreen,
      maxRate: 1,
      signal: cancel.signal,
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

test('a cancelled rebuild whose end could not be recorded is cancelled by the host that continues it', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([perspective], { leaseMs: 1_000 });
    await book(service, [account()], 30);
    await owner.rows({
      text: `CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
        CREATE TRIGGER refuse_end BEFORE UPDATE ON svc_rebuilds FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION refuse_end()`,
    });
    const cancel = new AbortController();
    const rebuilding = service.rebuild('accounts', {
      mode: RebuildMode.BlueGreen,
      maxRate: 1,
      signal: cancel.signal,
      progress: ({ events }) => {
        if (events > 0) cancel.abort();
      },
    });
    await rebuilding.then(
      () => assert.unreachable('it was cancelled'),
      () => undefined,
    );
    await owner.rows({ text: 'DROP TRIGGER refuse_end ON svc_rebuilds' });
    const ended = 'SELECT state FROM svc_rebuilds WHERE ended_at IS NOT NULL';
    await until(async () => (await owner.rows({ text: ended })).length > 0);
    assert.equal(await owner.rows({ text: ended }), [['cancelled']]);
    await until(() => service.perspectives[0]?.rebuild === undefined);
  }));
