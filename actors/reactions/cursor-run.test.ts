import * as assert from 'uvu/assert';
import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import type { ReactionFailed } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { until } from '../../runtime/kit/until.js';
import { envelopeOf } from '../../runtime/unit/envelope-of.js';
import { InFlight } from './in-flight.js';
import { RetrySlots } from './retry-slots.js';
import {
  OrderPlaced,
  otherOrderIn,
  partOfOrder,
  reserveStock,
  started,
  warehouse,
  whileRunning,
} from '../testing/stock-reactions.js';

const test = suite('run of a cursor');

const order = newUuid();
const part = partOfOrder(order);
const other = otherOrderIn(part);

test('an event causes a command, once, in the commit of its mark, with its origin', async () => {
  const { run, place, reserved, typed, store } = warehouse();
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'tea');
    cursor.wake();
    await until(async () => (await reserved()).length === 1);
  });
  const [placed] = await typed('OrderPlaced');
  const [event] = await typed('StockReserved');
  assert.is(event?.correlationId, placed?.correlationId);
  assert.is(event?.depth, 1);
  assert.is((await typed('CommandAudited')).length, 2);
  const { done } = await store.reactions.takeCursor(`reaction/reserve-stock/${part}`, 'head');
  assert.equal(done, [placed?.globalPosition]);
});

for (const [origin, items] of [
  [undefined, ['ours']],
  ['own', ['ours']],
  ['others', ['theirs']],
  ['all', ['theirs', 'ours']],
] as const)
  test(`a reaction with origin ${origin ?? 'unset'} reacts to ${items.join(' and ')}`, async () => {
    const { run, place, reserved, store } = warehouse({ ...reserveStock, ...(origin && { origin }) });
    const cursor = run(part);
    await whileRunning(cursor, async () => {
      await started(cursor);
      const payload = OrderPlaced.of({ orderId: order, item: 'theirs' });
      const context = new RequestContext({ transport: 'local', cancellation: Cancellation.of(undefined) });
      store.receive(order, envelopeOf(payload, order, context), newUuid());
      await place(order, 'ours');
      cursor.wake();
      await until(async () => (await reserved()).length === items.length);
      await until(() => (cursor.line?.settledTo() ?? 0) >= 2);
    });
    assert.equal(await reserved(), [...items]);
  });

test('a cursor starts at the head: what happened before it does not matter', async () => {
  const { run, place, reserved } = warehouse();
  await place(order, 'old');
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'new');
    cursor.wake();
    await until(async () => (await reserved()).length === 1);
  });
  assert.equal(await reserved(), ['new']);
});

test('a cursor that is taken again sends nothing again', async () => {
  const { run, place, reserved } = warehouse({ ...reserveStock, from: 'start' });
  for (const item of ['tea', 'jam']) await place(order, item);
  const first = run(part);
  await whileRunning(first, async () => {
    await until(async () => (await reserved()).length === 2);
  });
  const second = run(part);
  await whileRunning(second, async () => {
    await started(second);
    await place(order, 'rye');
    second.wake();
    await until(async () => (await reserved()).includes('rye'));
  });
  assert.equal(await reserved(), ['tea', 'jam', 'rye']);
});

test('a cursor that another host takes ends its run, and nothing is sent twice', async () => {
  const { run, place, reserved } = warehouse();
  const [one, two] = [run(part), run(part)];
  const running = one.run();
  await started(one);
  await whileRunning(two, async () => {
    await started(two);
    for (const item of ['tea', 'jam']) await place(order, item);
    two.wake();
    await until(async () => (await reserved()).length === 2);
    one.wake();
    await running;
  });
  assert.equal(await reserved(), ['tea', 'jam']);
});

test('a key that fails goes aside, the others go on, and the failure is reported', async () => {
  const { run, place, reserved, typed } = warehouse(undefined, ({ item }) => {
    if (item === 'poison') throw new TypeError('no such item');
  });
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'poison');
    await place(order, 'behind');
    await place(other, 'tea');
    cursor.wake();
    await until(async () => (await typed('ReactionFailed')).length === 1);
    await until(async () => (await reserved()).length === 1);
  });
  assert.equal(await reserved(), ['tea']);
  const [failed] = await typed('ReactionFailed');
  assert.ok(failed);
  const { parked, attempt, error, key } = failed.payload as ReactionFailed;
  assert.equal([parked, attempt, error.message, key], [false, 1, 'no such item', order]);
});

test('a refused command parks its key at once, and its later events wait behind it', async () => {
  const { run, place, reserved, typed, store } = warehouse(undefined, ({ item }) => {
    if (item === 'tea') throw new Problem('out-of-stock', { status: 422 });
  });
  const cursor = run(part);
  await whileRunning(cursor, async () => {
    await started(cursor);
    for (const item of ['tea', 'jam']) await place(order, item);
    cursor.wake();
    await until(() => cursor.line?.parkedKeys.size === 1);
    assert.equal(await reserved(), []);
    const [row] = await store.reactions.asideKeys(`reaction/reserve-stock/${part}`);
    assert.equal([row?.state, row?.error], ['parked', 'out-of-stock']);
  });
  assert.is(((await typed('ReactionFailed'))[0]?.payload as ReactionFailed | undefined)?.parked, true);
});

test('beside requests, four keys are tried again at a time, and what is new does not wait for them', async () => {
  const inPart = Array.from({ length: 400 }, newUuid).filter((id) => partOfOrder(id) === part);
  const released = inPart.slice(0, 12);
  let [isMended, running, most] = [false, 0, 0];
  const { run, place, reserved } = warehouse(undefined, async ({ item }) => {
    if (item !== 'new' && !isMended) throw new Problem('out-of-stock', { status: 422 });
    if (item === 'new') return;
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  });
  const cursor = run(part, { version: '1.0.0' });
  await whileRunning(cursor, async () => {
    await started(cursor);
    for (const id of released) await place(id, 'old');
    cursor.wake();
    await until(() => cursor.line?.parkedKeys.size === released.length);
  });
  isMended = true;
  const inFlight = new InFlight(undefined, new RetrySlots(() => true));
  const newer = run(part, { version: '1.1.0', inFlight });
  await whileRunning(newer, async () => {
    await started(newer);
    await place(other, 'new');
    newer.wake();
    await until(async () => (await reserved()).length === released.length + 1);
  });
  assert.is(most, 4);
});

test('an imported event is skipped unless the reaction asks for it', async () => {
  for (const imported of ['skip', 'react'] as const) {
    const { figures, run, store, reserved, typed } = warehouse({ ...reserveStock, imported });
    const cursor = run(part);
    await whileRunning(cursor, async () => {
      await started(cursor);
      const envelope = {
        messageId: newUuid(),
        messageType: 'OrderPlaced',
        streamId: order,
        v: 1,
        payload: OrderPlaced.of({ orderId: order, item: 'tea' }),
        timestamp: new Date().toISOString(),
      };
      await store.append(order, envelope, { occurredAt: '2020-01-01T00:00:00.000Z' });
      cursor.wake();
      await until(() => figures.counts.skipped + figures.counts.handled === 1);
    });
    assert.is((await reserved()).length, imported === 'skip' ? 0 : 1);
    assert.is((await typed('OrderPlaced')).length, 1);
  }
});

test('while the host is busy nothing runs', async () => {
  let isBusy = true;
  const { run, place, reserved } = warehouse();
  const cursor = run(part, { isBusy: () => isBusy });
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'tea');
    cursor.wake();
    await until(() => (cursor.line?.read ?? 0) > 2);
    assert.equal(await reserved(), []);
    isBusy = false;
    await until(async () => (await reserved()).length === 1);
  });
});

test('an event waits for the perspectives that the reaction names', async () => {
  const seen: (readonly [string, number])[] = [];
  let caughtUp = (): void => undefined;
  const { run, place, reserved } = warehouse({ ...reserveStock, after: ['stock'] });
  const cursor = run(part, {
    caughtUp: (name, position) => {
      seen.push([name, position]);
      return new Promise((resolve) => {
        caughtUp = resolve;
      });
    },
  });
  await whileRunning(cursor, async () => {
    await started(cursor);
    await place(order, 'tea');
    cursor.wake();
    await until(() => seen.length === 1);
    assert.equal(await reserved(), []);
    caughtUp();
    await until(async () => (await reserved()).length === 1);
  });
  assert.is(seen[0]?.[0], 'stock');
});

test('a reaction must have a name in kebab-case and events that it does not cause', () => {
  const refused = (given: Partial<Reaction>, message: RegExp) =>
    assert.throws(() => warehouse({ ...(reserveStock as Reaction), ...given }).run(0), message);
  refused(
    { name: 'ReserveStock' },
    /^The reaction 'ReserveStock' needs a name in kebab-case .* such as reserve-stock\.$/,
  );
  refused({ events: [] }, /^The reaction reserve-stock names no events; without any it never runs\.$/);
  refused(
    { events: [OrderPlaced, EventAudited, CommandAudited] },
    /would cause what it reacts to; remove EventAudited, CommandAudited from its events\.$/,
  );
  for (const attempts of [0, -1, 1.5, NaN, Infinity])
    refused(
      { attempts },
      /^The reaction reserve-stock needs attempts that are a whole number of at least 1\.$/,
    );
});
