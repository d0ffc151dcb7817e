import * as assert from 'uvu/assert';
import type { ReactionFailed } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import { later, type Reaction, type Sent, unschedule } from '../../contracts/reaction.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import {
  type OrderPlaced,
  partOfOrder,
  ReserveStock,
  reserveStock,
  warehouse,
  whileRunning,
} from '../testing/stock-reactions.js';
import { waitingTimers } from '../testing/waiting-timers.js';

const test = suite('what a reaction cannot send');

const order = newUuid();
const command = ReserveStock.of({ orderId: order, item: 'jam' });
const options = (given: object): Sent => later(command, given);
const nothingElse = 'A reaction returns commands, later(…) and unschedule(…), and nothing else.';
const circular: Record<string, unknown> = {};
circular['self'] = circular;

const badAnswers: Readonly<Record<string, readonly [answer: () => unknown, error: string]>> = {
  'a text': [() => 'jam', nothingElse],
  'a number': [() => 7, nothingElse],
  'a promise': [() => Promise.resolve(command), nothingElse],
  'a list in a list': [() => [[command]], nothingElse],
  'later without a command': [() => ({ kind: 'later', options: { in: 'PT1S' } }), nothingElse],
  'later without options': [() => ({ kind: 'later', command }), nothingElse],
  '101 commands': [
    () => Array.from({ length: 101 }, () => command),
    'reserve-stock returned 101 commands; at most 100 are sent.',
  ],
  'a timer without a time': [() => options({}), "ReserveStock: give either 'in' or 'at'."],
  'a timer of two times': [
    () => options({ in: 'PT1S', at: '2026-01-31T12:00:00Z' }),
    "ReserveStock: give either 'in' or 'at'.",
  ],
  'a duration in words': [
    () => options({ in: 'soon' }),
    "ReserveStock: in 'soon' is not a duration such as PT15M or P3D.",
  ],
  'more than ten years': [
    () => options({ in: 'P4000D' }),
    "ReserveStock: in 'P4000D' is more than ten years.",
  ],
  'a time that is none': [
    () => options({ at: 'tomorrow' }),
    "ReserveStock: at 'tomorrow' is not a timestamp such as 2026-01-31T12:00:00Z.",
  ],
  'an unknown again': [
    () => options({ in: 'PT1S', again: 'nonsense' }),
    "ReserveStock: again 'nonsense' must be 'replace' or 'keep'.",
  ],
  'an end in words': [
    () => options({ in: 'PT1S', expires: 'never' }),
    "ReserveStock: expires 'never' is not a duration such as PT15M or P3D.",
  ],
  'a key without a name': [() => options({ in: 'PT1S', key: order }), 'ReserveStock: a key needs a name.'],
  'a name of 65 characters': [
    () => options({ in: 'PT1S', name: 'x'.repeat(65) }),
    'The name of a timer must be a text of 1 to 64 characters.',
  ],
  'a command that is no JSON': [
    () => later(ReserveStock.of({ orderId: order, item: circular as unknown as string }), { in: 'PT1S' }),
    'ReserveStock: the command cannot be expressed as JSON.',
  ],
  'a command of more than 64 KiB': [
    () => later(ReserveStock.of({ orderId: order, item: 'x'.repeat(65_536) }), { in: 'PT1S' }),
    'ReserveStock: the command is larger than 64 KiB.',
  ],
  'the end of a timer without a name': [
    () => unschedule('', ''),
    'The name of a timer must be a text of 1 to 64 characters.',
  ],
  'a problem of its own': [
    () => {
      throw new Problem('not-found', { detail: 'There is no such shelf.' });
    },
    'There is no such shelf.',
  ],
};

for (const [what, [answer, error]] of Object.entries(badAnswers)) {
  test(`${what}: the key is parked at once, and it is no refusal`, async () => {
    let refusals = 0;
    const reaction: Reaction<OrderPlaced> = {
      ...reserveStock,
      react: (event) => (event.payload.item === 'jam' ? (answer() as Sent) : reserveStock.react(event)),
      refused: () => {
        refusals++;
        return [];
      },
    };
    const { run, place, reserved, store, typed } = warehouse(reaction);
    const cursor = run(partOfOrder(order));
    await whileRunning(cursor, async () => {
      await until(() => cursor.line !== undefined);
      await place(order, 'jam');
      cursor.wake();
      await until(async () => (await typed('ReactionFailed')).length > 0 || refusals > 0);
    });
    const failures = (await typed('ReactionFailed')).map(({ payload }) => payload as ReactionFailed);
    assert.equal(
      failures.map(({ key, parked, error: { message } }) => ({ key, parked, message })),
      [{ key: order, parked: true, message: error }],
    );
    assert.equal([refusals, await reserved(), await waitingTimers(store)], [0, [], 0]);
  });
}
