import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import type { Service } from '../../runtime/service/service.js';
import { type Account, account, accounts, booked, type Booked } from '../testing/accounts-perspective.js';
import { timeoutSignal, systemStreamLike, withPerspectiveHosts } from '../testing/perspective-hosts.js';

const test = suite('rebuilds that cannot fold');

/** Fails for the configured events. */
function fragile() {
  const now = { fails: (_event: StoredEvent): boolean => false };
  const perspective = accounts({
    apply: (model: Account, event: StoredEvent) => {
      const { amount } = event.payload as Booked;
      if (now.fails(event)) throw new RangeError('apply has a bug');
      return { amounts: [...model.amounts, amount], sum: model.sum + amount };
    },
  });
  return { now, perspective, table: perspectiveTable(perspective).table };
}

async function book(service: Service, streams: readonly string[], ...amounts: number[]): Promise<void> {
  let last = 0;
  for (const amount of amounts)
    for (const stream of streams)
      last = (await service.eventStore.append(stream, booked(amount))).globalPositions[0] ?? 0;
  await service.caughtUp('accounts', last, timeoutSignal());
}

const sums = async (owner: Database): Promise<string[]> =>
  (await owner.rows({ text: 'SELECT sum FROM svc_per_accounts ORDER BY id' })).map(([sum]) => sum ?? '');

const parkedKeys = async (owner: Database): Promise<string[]> =>
  (await owner.rows({ text: 'SELECT key FROM svc_stuck_work ORDER BY key' })).map(([key]) => key ?? '');

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it succeeded',
    (error: unknown) => (error as Error).message,
  );

const lastReported = async (owner: Database) =>
  (await systemStreamLike(owner, 'PerspectiveRebuild%')).at(-1) ?? ['', {}];

test('a BlueGreen rebuild in which apply fails is Failed, counts no stream, and readers keep the served model', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const { now, perspective } = fragile();
    const service = host([perspective]);
    const streams = Array.from({ length: 60 }, account);
    await book(service, streams, 1, 2);
    now.fails = () => true;
    const message = await failureOf(service.rebuild('accounts', { mode: RebuildMode.BlueGreen }));
    assert.match(message, /^accounts cannot fold 60 rows that readers have, first \S+ at event \S+: /);
    assert.match(message, /readers keep the old model/);
    assert.equal(
      await sums(owner),
      Array.from({ length: 60 }, () => '3'),
    );
    assert.equal(await parkedKeys(owner), []);
    const [type, { error, streamsProcessedBeforeFailure: before }] = await lastReported(owner);
    assert.is(type, 'PerspectiveRebuildFailed');
    assert.match(String(error), /60 rows/);
    assert.is(before, 0);
    now.fails = () => false;
    await book(service, streams.slice(0, 1), 4);
    assert.equal((await sums(owner)).toSorted().slice(-2), ['3', '7'], 'the served model continues');
  }));

test('one row that the served model had not parked is enough to fail; one that it had is not', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const { now, perspective } = fragile();
    const service = host([perspective]);
    const [bad, good, worse] = [account(), account(), account()];
    await book(service, [bad, good, worse], 1);
    now.fails = ({ payload }) => (payload as Booked).amount === 13;
    await book(service, [bad], 13);
    assert.equal(await parkedKeys(owner), [bad]);
    const { streams, events } = await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
    assert.equal([streams, events], [3, 3], 'the failing event is not folded');
    assert.equal(await parkedKeys(owner), [bad]);
    now.fails = ({ payload, streamId }) => (payload as Booked).amount === 13 || streamId === worse;
    assert.match(await failureOf(service.rebuild('accounts', { mode: RebuildMode.BlueGreen })), /one row/);
    now.fails = ({ streamId }) => streamId === bad;
    const earlier = await failureOf(service.rebuild('accounts', { mode: RebuildMode.BlueGreen }));
    assert.match(earlier, /one row/, 'parked at an event that the served model had folded');
    assert.equal(await sums(owner), ['1', '1', '1']);
  }));

test('force swaps anyway, parks the rows, and the events report it', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const { now, perspective } = fragile();
    const service = host([perspective]);
    const streams = [account(), account(), account()];
    await book(service, streams, 1, 2);
    now.fails = ({ streamId }) => streamId === streams[1];
    const rebuilt = await service.rebuild('accounts', { mode: RebuildMode.BlueGreen, force: true });
    assert.equal([rebuilt.streams, rebuilt.events, rebuilt.rowsParked], [2, 4, 1]);
    assert.equal(await sums(owner), ['3', '3']);
    assert.equal(await parkedKeys(owner), [streams[1]]);
    const [type, { streamsProcessed, eventsReplayed, forced, rowsParked }] = await lastReported(owner);
    assert.is(type, 'PerspectiveRebuildCompleted');
    assert.equal([streamsProcessed, eventsReplayed, forced, rowsParked], [2, 4, true, 1]);
  }));

test('SelectedStreams renews the rows that fold, leaves those that fail unchanged, and is Failed', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const { now, perspective, table } = fragile();
    const service = host([perspective]);
    const streams = [account(), account()].sort();
    await book(service, streams, 1, 2);
    await owner.rows({ text: `UPDATE ${table} SET model = '{"amounts":[666],"sum":666}', sum = 666` });
    now.fails = ({ streamId, payload }) => streamId === streams[1] && (payload as Booked).amount === 2;
    const options = { mode: RebuildMode.SelectedStreams, streams };
    assert.match(await failureOf(service.rebuild('accounts', options)), /one row.*these stay as they were/);
    assert.equal(await sums(owner), ['3', '666']);
    assert.equal(await parkedKeys(owner), []);
    assert.equal((await lastReported(owner))[1]['streamsProcessedBeforeFailure'], 2);
    const forced = await service.rebuild('accounts', { ...options, force: true });
    assert.equal([forced.streams, forced.events, forced.rowsParked], [2, 3, 1]);
    assert.equal(await sums(owner), ['3', '1']);
    assert.equal(await parkedKeys(owner), [streams[1]]);
  }));

test('InPlace that fails leaves what folded; the next rebuild is compared with what readers had before', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const { now, perspective } = fragile();
    const service = host([perspective]);
    const streams = [account(), account()].sort();
    await book(service, streams, 1, 2);
    now.fails = ({ streamId }) => streamId === streams[0];
    const inPlace = await failureOf(service.rebuild('accounts', { mode: RebuildMode.InPlace }));
    assert.match(inPlace, /one row.*readers see the rest/);
    assert.is((await lastReported(owner))[0], 'PerspectiveRebuildFailed');
    assert.equal(await sums(owner), ['3']);
    for (const mode of [RebuildMode.BlueGreen, RebuildMode.InPlace])
      assert.match(await failureOf(service.rebuild('accounts', { mode })), /one row/, mode);
    now.fails = () => false;
    assert.equal((await service.rebuild('accounts', { mode: RebuildMode.BlueGreen })).events, 4);
    assert.equal(await sums(owner), ['3', '3']);
    assert.equal(await parkedKeys(owner), []);
  }));

test('an event without a row that had one fails the rebuild too', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    let isBroken = false;
    const key = ({ streamId }: StoredEvent): string => {
      if (isBroken) throw new TypeError('no key');
      return `row-${streamId}`;
    };
    const service = host([accounts({ key, late: 'apply' })]);
    const stream = account();
    await book(service, [stream], 1, 2);
    isBroken = true;
    for (const options of [
      { mode: RebuildMode.BlueGreen },
      { mode: RebuildMode.SelectedStreams, streams: [stream] },
    ])
      assert.match(await failureOf(service.rebuild('accounts', options)), /2 rows/, options.mode);
    assert.equal(await sums(owner), ['3']);
  }));
