import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LoopTurn } from './loop-turn.js';

const test = suite('turn of the event loop');

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('whoever comes late in a turn has waited since its beginning', async () => {
  const turn = new LoopTurn();
  assert.equal([turn.lastedMs(1_000), turn.lastedMs(1_012), turn.lastedMs(1_040)], [0, 12, 40]);
  await Promise.resolve();
  assert.is(turn.lastedMs(1_050), 50, 'a microtask is no new turn');
});

test('each turn begins anew', async () => {
  const turn = new LoopTurn();
  turn.lastedMs(1_000);
  await nextTurn();
  assert.equal([turn.lastedMs(1_100), turn.lastedMs(1_101)], [0, 1]);
});

/** Turns that begin one millisecond after the other. */
async function turns(turn: LoopTurn, count: number, from: number, accepts: boolean): Promise<number> {
  for (let at = from; at < from + count; at++) {
    turn.lastedMs(at);
    if (accepts) turn.accepted(at);
    await nextTurn();
  }
  return from + count;
}

test('while turn after turn finds a connection to accept, others wait to be accepted', async () => {
  const turn = new LoopTurn();
  let now = await turns(turn, 4, 1_000, true);
  assert.is(turn.acceptingMs(now), 0, 'a few in a row may be chance');
  now = await turns(turn, 36, now, true);
  assert.is(turn.acceptingMs(now), 40);
  now = await turns(turn, 1, now, false);
  assert.is(turn.acceptingMs(now), 0);
});

test.run();
