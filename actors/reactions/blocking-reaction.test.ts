import * as assert from 'uvu/assert';
import type { ReactionFailed } from '../../contracts/events/error.js';
import type { Reaction } from '../../contracts/reaction.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { BlockingCode } from '../steps/blocking-code.js';
import { type OrderPlaced, partOfOrder, reserveStock, warehouse } from '../testing/stock-reactions.js';

const test = suite('a reaction that blocks its host');

const order = newUuid();

test('an event that blocks the host until another one takes over is parked when it comes back', async () => {
  let blockedMs = 0;
  const code = new BlockingCode(undefined, { now: () => blockedMs, usedMs: () => blockedMs });
  let runs = 0;
  const reaction: Reaction<OrderPlaced> = {
    ...reserveStock,
    react: (event) => {
      runs++;
      blockedMs += 10_000;
      return reserveStock.react(event);
    },
  };
  const { run, place, store, reserved, typed } = warehouse(reaction);
  const overtaken = run(partOfOrder(order), { code });
  const running = overtaken.run();
  await until(() => overtaken.line !== undefined);
  await place(order, 'tea');
  // Another host takes the cursor while this one is blocked.
  await store.reactions.takeCursor(`reaction/reserve-stock/${partOfOrder(order)}`, 'head');
  overtaken.wake();
  await running;
  assert.equal([runs, await reserved()], [1, []]);
  const again = run(partOfOrder(order), { code });
  const runningAgain = again.run();
  await Promise.race([runningAgain, until(async () => (await typed('ReactionFailed')).length === 1)]);
  again.stop();
  await runningAgain;
  const [failed] = (await typed('ReactionFailed')).map(({ payload }) => payload as ReactionFailed);
  assert.equal([runs, failed?.key, failed?.parked], [1, order, true]);
  assert.match(failed?.error.message ?? '', /^It blocked this host for 10\.\d seconds;/);
});
