import * as assert from 'uvu/assert';
import type { ReactionFailed } from '../../contracts/events/error.js';
import type { Reaction } from '../../contracts/reaction.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import {
  type OrderPlaced,
  partOfOrder,
  type ReserveStock,
  reserveStock,
  warehouse,
} from '../testing/stock-reactions.js';

const test = suite('whatever is thrown');

const order = newUuid();
/** Another order in the same partition. */
const other = (() => {
  for (;;) {
    const id = newUuid();
    if (partOfOrder(id) === partOfOrder(order)) return id;
  }
})();

const withMessage = (message: unknown): Error => Object.assign(new Error('x'), { message });
const refusing = (): never => {
  throw new Error('no text');
};

const thrown: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a symbol': () => Symbol('jam'),
  'an object without a prototype': () => Object.create(null) as unknown,
  'an object whose text throws': () => ({ toString: refusing }),
  'an error whose message is an object': () => withMessage({ deep: true }),
  'an error whose message is missing': () => withMessage(undefined),
  'an error whose message throws': () => Object.defineProperty(new Error('x'), 'message', { get: refusing }),
  'an error whose name is an object': () => Object.assign(new Error('x'), { name: {} }),
  'an error with a lone surrogate': () => new Error('a\ud800b\0c'),
  'an error that ends in half a character': () => new Error(`${'x'.repeat(1_999)}😀`),
};

const throws = (value: () => unknown): never => {
  throw value();
};

for (const [what, value] of Object.entries(thrown)) {
  const places: Readonly<Record<string, Parameters<typeof warehouse>>> = {
    react: [
      {
        ...reserveStock,
        attempts: 1,
        react: (event) => (event.payload.orderId === order ? throws(value) : reserveStock.react(event)),
      } satisfies Reaction<OrderPlaced>,
    ],
    'a receptor': [
      { ...reserveStock, attempts: 1 } satisfies Reaction<OrderPlaced>,
      ({ orderId }: ReserveStock) => (orderId === order ? throws(value) : undefined),
    ],
    key: [
      {
        ...reserveStock,
        attempts: 1,
        key: ({ payload: { orderId } }) => (orderId === order ? throws(value) : orderId),
      } satisfies Reaction<OrderPlaced>,
    ],
  };
  for (const [place, given] of Object.entries(places))
    test(`${what}, thrown by ${place}, parks its key, and others go on`, async () => {
      const { run, place: placed, reserved, typed } = warehouse(...given);
      const cursor = run(partOfOrder(order));
      const running = cursor.run();
      await until(() => cursor.line !== undefined);
      await placed(order, 'tea');
      await placed(other, 'jam');
      cursor.wake();
      const failures = () => typed('ReactionFailed');
      await Promise.race([running, until(async () => (await reserved()).length === 1)]);
      await Promise.race([running, until(async () => (await failures()).length === 1)]);
      cursor.stop();
      await running;
      assert.equal(await reserved(), ['jam']);
      const [failed] = (await failures()).map(({ payload }) => payload as ReactionFailed);
      assert.equal([failed?.key, failed?.parked], [order, true]);
      assert.type(failed?.error.message, 'string');
      assert.type(failed?.error.name, 'string');
      assert.not.match(failed?.error.message ?? '', /\0|\p{Surrogate}/u);
    });
}
