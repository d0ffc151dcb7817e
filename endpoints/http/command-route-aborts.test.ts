import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { bake, BreadBaked, type Kitchen, order, withBakery } from '../testing/bakery.js';
import { type Answered, openRaw, post, rawPost, refusalIn } from '../testing/http-client.js';
import { answerOf, aborted, storedIn } from '../testing/bakery-answers.js';

const test = suite('aborts of a command route');

/** Handlers that never return by themselves. */
function stuck() {
  const works: UnitOfWork[] = [];
  const signals: AbortSignal[] = [];
  const entered: (() => void)[] = [];
  const bakeForever: Kitchen['bake'] = (_command, work) => {
    works.push(work);
    signals.push(work.signal);
    for (const resolve of entered.splice(0)) resolve();
    return new Promise(() => undefined);
  };
  const arrival = () => new Promise<void>((resolve) => entered.push(resolve));
  return { bakeForever, works, signals, arrival };
}

test('at the deadline the answer is 504 deadline-exceeded, and the handler sees the abort', async () => {
  const { bakeForever, signals } = stuck();
  const answer = await answerOf({ bake: bakeForever, deadlineMs: 30 });
  assert.is(refusalIn(answer), '504 deadline-exceeded');
  assert.is(signals[0]?.aborted, true);
});

test('a handler that never ends releases its slot at the deadline', () => {
  const { bakeForever } = stuck();
  let first = true;
  return withBakery(
    {
      bake: (...args) => {
        if (!first) return bake(...args);
        first = false;
        return bakeForever?.(...args);
      },
      receptor: { concurrency: 1 },
      deadlineMs: 50,
    },
    async ({ url }) => {
      assert.is((await post(url, order)).status, 504);
      assert.is((await post(url, order)).status, 200);
    },
  );
});

test('work after the deadline is refused with unit-closed, and stores nothing', () => {
  const { bakeForever, works } = stuck();
  return withBakery({ bake: bakeForever, deadlineMs: 30 }, async (bakery) => {
    await post(bakery.url, order);
    const [work] = works;
    const late = BreadBaked.of({ customer: 'late', loaves: 1 });
    for (const act of [() => work?.append(newUuid(), late), () => work?.defer(() => undefined)]) {
      assert.throws(act, (error: Problem) => error.code === 'unit-closed');
    }
    assert.equal(await storedIn(bakery), []);
  });
});

test('a full mailbox is answered 503 overloaded with Retry-After, and accepts commands again afterwards', () => {
  const { bakeForever, arrival } = stuck();
  const kitchen = { bake: bakeForever, receptor: { concurrency: 1, mailbox: 1 }, deadlineMs: 400 };
  return withFakeTimeouts((clock) =>
    withBakery(kitchen, async ({ url }) => {
      const running = arrival();
      const first = post(url, order);
      await running;
      const answered: Answered[] = [];
      await new Promise<void>((resolve, reject) => {
        const note = (answer: Answered) => answered.push(answer) === 2 && resolve();
        for (let n = 0; n < 3; n++) post(url, order).then(note, reject);
      });
      assert.equal(answered.map(refusalIn), ['503 overloaded', '503 overloaded']);
      assert.is(answered[0]?.headers['retry-after'], '1');
      clock.advance(400);
      assert.is(refusalIn(await first), '504 deadline-exceeded');
      while (answered.length < 3) await new Promise(setImmediate);
      assert.equal(answered.slice(2).map(refusalIn), ['504 deadline-exceeded']);
      const runsAgain = arrival();
      const last = post(url, order);
      await runsAgain;
      clock.advance(400);
      assert.is(refusalIn(await last), '504 deadline-exceeded');
    }),
  );
});

test('a client that disconnects aborts its handler, nothing is stored, and the host keeps serving', () => {
  const { bakeForever, signals, arrival } = stuck();
  let waits = true;
  return withBakery(
    { bake: (...args) => (waits ? bakeForever?.(...args) : bake(...args)) },
    async (bakery) => {
      const running = arrival();
      const line = await openRaw(bakery.url);
      line.write(rawPost('/bread', JSON.stringify(order)));
      await running;
      line.close();
      const [signal] = signals;
      assert.ok(signal);
      await aborted(signal);
      assert.is((signal.reason as Problem).status, 499);
      assert.equal(await storedIn(bakery), []);
      waits = false;
      assert.is((await post(bakery.url, order)).status, 200);
      assert.is(bakery.server.active, 0);
    },
  );
});

test('a client that only stops sending still gets its answer', () =>
  withBakery({}, async ({ url }) => {
    const line = await openRaw(url);
    line.socket.end(rawPost('/bread', JSON.stringify(order), 'Connection: close'));
    assert.match(await line.closed, /^HTTP\/1\.1 200 /);
  }));
