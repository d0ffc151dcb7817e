import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { type FiringOutcome, fireTimer } from './fire-timer.js';
import { order, minute, shop } from '../testing/reminding-shop.js';
import { tryParkedAgain } from './prepare-timers.js';
import { waitingTimers } from '../testing/waiting-timers.js';

const test = suite('parked timers');

test('a timer that fails waits longer each time and is parked after eight tries, and each try is reported', async () => {
  const { clock, remind, fireDue, records, store } = shop({
    onRemind: () => {
      throw new Error('broken\0');
    },
  });
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  const waits: number[] = [];
  const outcomes: FiringOutcome[] = [];
  for (let tries = 0; tries < 8; tries++) {
    outcomes.push(...(await fireDue()));
    const [timer] = await store.reactions.timersOf('command', 'reminder', order);
    waits.push(-(timer?.lateMs ?? 0));
    clock.advance(5 * minute);
  }
  assert.equal(outcomes, [...Array.from({ length: 7 }, () => 'retrying' as const), 'parked']);
  assert.equal(waits, [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 0]);
  assert.equal(await fireDue(), []);
  const [timer] = await store.reactions.timersOf('command', 'reminder', order);
  assert.equal([timer?.parked, timer?.error, timer?.attempts], [true, 'Error: broken', 8]);
  assert.equal(
    records.map((record) => (record as unknown as { attempt: number; parked: boolean }).attempt),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
});

test('a command that is refused parks its timer at once', async () => {
  const { clock, remind, fireDue } = shop({
    onRemind: () => {
      throw new Problem('order-closed', { status: 409, detail: 'The order is closed.' });
    },
  });
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  assert.equal(await fireDue(), ['parked']);
});

test('a timer whose command has no receptor anymore is parked and says so', async () => {
  const { clock, set, fireDue, store } = shop();
  await set({
    id: newUuid(),
    kind: 'command',
    name: 'gone',
    key: '',
    again: 'replace',
    due: { inMs: 0 },
    data: { type: 'Renamed', body: {} },
    context: {},
  });
  clock.advance(1);
  assert.equal(await fireDue(), ['parked']);
  const [timer] = await store.reactions.timersOf('command', 'gone', '');
  assert.match(timer?.error ?? '', /No receptor handles Renamed/);
});

test('what an older version has parked is tried again by a newer one, once', async () => {
  let isBroken = true;
  const { clock, remind, due, ports, store, events } = shop({
    onRemind: () => {
      if (isBroken) throw new Problem('order-closed', { status: 409 });
    },
  });
  const tryParked = (version: string) => tryParkedAgain([0, 1, 2, 3, 4, 5, 6, 7], { ...ports, version });
  const fireAs = async (version: string): Promise<readonly FiringOutcome[]> =>
    Promise.all((await due()).map((timer) => fireTimer(timer, { ...ports, version })));
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  assert.equal(await fireAs('1.1.0'), ['parked']);
  for (const version of ['1.0.0', '1.1.0', '0']) await tryParked(version);
  assert.equal(await due(), []);
  await tryParked('1.2.0');
  assert.equal(await fireAs('1.2.0'), ['parked']);
  await tryParked('1.2.0');
  assert.equal(await due(), [], 'it was tried');
  isBroken = false;
  await tryParked('2.0.0');
  assert.equal(await fireAs('2.0.0'), ['fired']);
  assert.equal([(await events()).length, await waitingTimers(store)], [1, 0]);
});
