import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { RetrySlots, restOf } from './retry-slots.js';

const test = suite('slots of keys that are tried again');

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Enters as often as this, and keeps what gives the slots back. */
function entering(slots: RetrySlots, count: number): (() => void)[] {
  const entered: (() => void)[] = [];
  for (let n = 0; n < count; n++) void slots.enter().then((leave) => entered.push(leave));
  return entered;
}

test('beside requests, four keys are tried together, and the next four when all have left', async () => {
  const slots = new RetrySlots(() => true);
  const entered = entering(slots, 20);
  await turn();
  assert.is(entered.length, 4);
  for (const leave of entered.slice(1)) leave();
  await turn();
  assert.is(entered.length, 4);
  entered[0]?.();
  entered[0]?.();
  assert.is(entered.length, 4, 'the host rests');
  await until(() => entered.length > 4);
  assert.is(entered.length, 8);
});

test('without requests, all keys are tried at once', async () => {
  const entered = entering(new RetrySlots(() => false), 5);
  await turn();
  assert.is(entered.length, 5);
});

test('when requests end, nothing waits anymore', async () => {
  let isServing = true;
  const slots = new RetrySlots(() => isServing);
  const entered = entering(slots, 20);
  await turn();
  isServing = false;
  entered[0]?.();
  await turn();
  assert.is(entered.length, 20);
});

test('keys that hang hold up no other key', async () => {
  const entered = entering(new RetrySlots(() => true), 20);
  await until(() => entered.length === 20);
});

test('what the cursors look up is read one after another, also after a failure', async () => {
  const slots = new RetrySlots(() => true);
  let [running, most] = [0, 0];
  const read = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await turn();
    running--;
    throw new RangeError('no database');
  };
  const failed = await Promise.allSettled([1, 2, 3].map(() => slots.inTurn(read)));
  assert.equal([most, ...failed.map(({ status }) => status)], [1, 'rejected', 'rejected', 'rejected']);
  assert.is(await slots.inTurn(() => Promise.resolve('page')), 'page');
});

test('the host rests three times as long as keys or a page took, and a quarter of a second at most', () =>
  assert.equal([0, 1, 5, 400].map(restOf), [0, 3, 15, 250]));
