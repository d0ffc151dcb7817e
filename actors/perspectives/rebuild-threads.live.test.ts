import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { LocalPartition } from '../../runtime/perspectives/rebuild/fold-partition.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { shadowOf } from '../../runtime/perspectives/tables/shadow-table.js';
import { addUpcasters } from '../../runtime/service/add-upcasters.js';
import { account, accounts, booked, closed } from '../testing/accounts-perspective.js';
import {
  modelOf,
  timeoutSignal,
  systemStreamLike,
  withPerspectiveHosts,
} from '../testing/perspective-hosts.js';

const test = suite('rebuilds in threads');

const entry = new URL('../testing/fold-thread.js', import.meta.url);
const { table } = perspectiveTable(accounts());

test('threads fold the streams by their hash; late and failing events are folded in order, once, at the end', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([accounts()], { threads: { entry, count: 3 }, attempts: 1 });
    const streams = Array.from({ length: 12 }, account);
    const [late = '', failing = '', gone = '', ...others] = streams;
    const minute = (n: number) => ({ occurredAt: new Date(Date.now() - 60_000 * (100 - n)).toISOString() });
    for (const n of [1, 2, 3])
      for (const stream of streams) await service.eventStore.append(stream, booked(n), minute(n));
    await service.eventStore.append(late, booked(0), minute(0));
    await service.eventStore.append(failing, booked(4, 'poison'));
    const { globalPositions } = await service.eventStore.append(gone, closed());
    await service.caughtUp('accounts', globalPositions[0] ?? 0, timeoutSignal());
    await owner.rows({ text: `UPDATE ${table} SET model = '{"amounts": [666]}'` });
    const rebuilt = await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
    assert.equal([rebuilt.streams, rebuilt.events], [12, 38]);
    for (const stream of others)
      assert.equal(await modelOf(owner, stream), { amounts: [1, 2, 3], sum: 6, by: 'thread' });
    assert.equal(await modelOf(owner, late), { amounts: [0, 1, 2, 3], sum: 6 });
    assert.equal(await modelOf(owner, failing), { amounts: [1, 2, 3], sum: 6 });
    assert.is(await modelOf(owner, gone), undefined);
    assert.equal(await owner.rows({ text: 'SELECT key FROM svc_stuck_work' }), [[failing]]);
  }));

test('the events of a page count while it is read', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([accounts()]);
    const bookings = Array.from({ length: 1_200 }, () => booked(1));
    const { globalPositions } = await service.eventStore.append(account(), bookings);
    const reader = await owner.session();
    const counted: number[] = [];
    const rules = { perspective: accounts(), table: shadowOf(perspectiveTable(accounts())), reader };
    const options = { deferredKeys: [], hasStoredRows: false, counted: (n: number) => counted.push(n) };
    const { count } = await new LocalPartition({ ...rules, ...options }).fold(0, globalPositions.at(-1) ?? 0);
    reader.release();
    assert.equal([counted, count], [Array.from({ length: 18 }, (_, index) => (index + 1) * 64), 1_200]);
  }));

test('events that an upcaster changes are folded where it is registered', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const tenfold = (payload: { amount: number }) => ({ ...payload, amount: 10 * payload.amount });
    const service = host([accounts()], { threads: { entry, count: 2 } });
    service.with(addUpcasters([{ type: 'Booked', from: 1, up: tenfold }]));
    const stream = account();
    const { globalPositions } = await service.eventStore.append(stream, booked(7));
    await service.caughtUp('accounts', globalPositions[0] ?? 0, timeoutSignal());
    await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
    assert.equal(await modelOf(owner, stream), { amounts: [70], sum: 70 });
  }));

test('a thread that dies ends the rebuild, with the reason; the old model stays', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const missing = new URL('../testing/no-such-thread.js', import.meta.url);
    const service = host([accounts()], { threads: { entry: missing, count: 2 } });
    const stream = account();
    const { globalPositions } = await service.eventStore.append(stream, booked(7));
    await service.caughtUp('accounts', globalPositions[0] ?? 0, timeoutSignal());
    const failure: unknown = await service
      .rebuild('accounts', { mode: RebuildMode.BlueGreen })
      .catch((error: unknown) => error);
    assert.match(String(failure), /no-such-thread/);
    assert.equal(await modelOf(owner, stream), { amounts: [7], sum: 7 });
    const events = (await systemStreamLike(owner, 'PerspectiveRebuild%')).map(([type]) => type);
    assert.equal(events, ['PerspectiveRebuildStarted', 'PerspectiveRebuildFailed']);
  }));
