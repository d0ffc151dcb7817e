import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { IdempotencyGate } from '../contracts/idempotency-gate.js';
import { suite } from '../contracts/testing/suite.js';
import { InMemoryEventStore } from '../runtime/kit/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../runtime/kit/in-memory-idempotency-gate.js';
import { bake, type Kitchen, order, withBakery } from './testing/bakery.js';
import { replayed, storedIn } from './testing/bakery-answers.js';
import { keyed, post, problemIn, refusalIn } from './testing/http-client.js';

const test = suite('idempotency key');

test('the decoded command counts, not its text', () =>
  withBakery({}, async ({ url }) => {
    await post(url, order, keyed('k1'));
    const { toppings, loaves, customer } = order;
    const other = await post(url, { extra: true, toppings, loaves, customer }, keyed('k1'));
    assert.is(replayed(other), 'true');
  }));

test('a key that was used for another body is answered 422 idempotency-key-reused', () =>
  withBakery({}, async (bakery) => {
    await post(bakery.url, order, keyed('k1'));
    const answer = await post(bakery.url, { ...order, loaves: 3 }, keyed('k1'));
    assert.is(refusalIn(answer), '422 idempotency-key-reused');
    assert.is((await storedIn(bakery)).length, 1);
  }));

test('the same key for another command is a different key', () =>
  withBakery({}, async (bakery) => {
    const bread = await post(bakery.url, order, { path: '/bread', ...keyed('k1') });
    const cake = await post(bakery.url, order, { path: '/cake', ...keyed('k1') });
    assert.equal([bread.status, cake.status, replayed(cake)], [200, 200, undefined]);
    assert.is((await storedIn(bakery)).length, 2);
  }));

test('a stored answer does not wait until its key is unlocked, a failure does: a retry needs the key', async () => {
  const store = new InMemoryEventStore();
  const inner = new InMemoryIdempotencyGate(store);
  let unlock = (): void => undefined;
  const unlocked = new Promise<void>((resolve) => (unlock = resolve));
  const gate: IdempotencyGate = {
    claim: async (...asked) => {
      const claim = await inner.claim(...asked);
      if (claim.is !== 'free') return claim;
      return { is: 'free', release: () => claim.release().then(() => unlocked) };
    },
  };
  let isCold = false;
  const baking: Kitchen['bake'] = (...args) => {
    if (isCold) throw new TypeError('the oven is cold');
    return bake(...args);
  };
  await withBakery({ shop: { store, gate }, bake: baking }, async ({ url }) => {
    const [first, second] = [await post(url, order, keyed('k1')), await post(url, order, keyed('k1'))];
    assert.equal([first.status, replayed(second)], [200, 'true']);
    isCold = true;
    let isAnswered = false;
    const failed = post(url, order, keyed('k2')).finally(() => (isAnswered = true));
    await delay(100);
    assert.not(isAnswered);
    unlock();
    assert.is((await failed).status, 500);
  });
});

test('of two requests with one key at the same time the second is answered 409 duplicate-in-flight', () => {
  let finish = (): void => undefined;
  let running = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    running = resolve;
  });
  const kitchen: Kitchen = {
    bake: (...args) =>
      new Promise((resolve) => {
        finish = () => resolve(bake(...args));
        running();
      }),
  };
  return withBakery(kitchen, async (bakery) => {
    const first = post(bakery.url, order, keyed('k1'));
    await started;
    const second = await post(bakery.url, order, keyed('k1'));
    assert.is(refusalIn(second), '409 duplicate-in-flight');
    assert.is(second.headers['retry-after'], '1');
    finish();
    assert.is((await first).status, 200);
    assert.is((await storedIn(bakery)).length, 1);
  });
});

test('fifty requests with one key at the same time are carried out once', () =>
  withBakery({}, async (bakery) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(bakery.url, order, keyed('k1'))));
    assert.equal(new Set(answers.map(({ status }) => status)).has(500), false);
    assert.is(answers.filter((answer) => answer.status === 200 && !replayed(answer)).length, 1);
    assert.is((await storedIn(bakery)).length, 1);
  }));

test('a body that cannot be decoded is refused before its key is checked', () =>
  withBakery({}, async ({ url }) => {
    assert.is(refusalIn(await post(url, {}, keyed('k1'))), '422 invalid-command');
    assert.is((await post(url, order, keyed('k1'))).status, 200);
  }));

test('a deadline frees the key', () => {
  let slow = true;
  return withBakery(
    { bake: (...args) => (slow ? new Promise(() => undefined) : bake(...args)), deadlineMs: 30 },
    async ({ url }) => {
      assert.is((await post(url, order, keyed('k1'))).status, 504);
      slow = false;
      const answer = await post(url, order, keyed('k1'));
      assert.equal([answer.status, replayed(answer)], [200, undefined]);
    },
  );
});

test('a key of 255 characters is accepted, one of 256 is answered 400 invalid-header', () =>
  withBakery({}, async ({ url }) => {
    assert.is((await post(url, order, keyed('k'.repeat(255)))).status, 200);
    const refused = await post(url, order, keyed('k'.repeat(256)));
    assert.is(refusalIn(refused), '400 invalid-header');
    assert.match(problemIn(refused).detail ?? '', /Idempotency-Key/);
  }));

for (const key of ['', 'two words', 'caf\u00e9', 'a\tb']) {
  test(`${JSON.stringify(key)} is not a key: 400 invalid-header`, () =>
    withBakery({}, async ({ url }) => {
      assert.is(refusalIn(await post(url, order, keyed(key))), '400 invalid-header');
    }));
}

test('a key may contain every visible ASCII character', () =>
  withBakery({}, async ({ url }) => {
    const key = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join('');
    await post(url, order, keyed(key));
    assert.is(replayed(await post(url, order, keyed(key))), 'true');
  }));

test('a key expires after 24 hours', () => {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const store = new InMemoryEventStore({ now: () => now });
  return withBakery({ shop: { store, gate: new InMemoryIdempotencyGate(store) } }, async ({ url }) => {
    await post(url, order, keyed('k1'));
    now += 24 * 3_600_000 - 1;
    assert.is(replayed(await post(url, order, keyed('k1'))), 'true');
    now += 1;
    assert.is(replayed(await post(url, order, keyed('k1'))), undefined);
  });
});

test('when another host committed first, its answer is returned and ours is not stored', () => {
  const store = new InMemoryEventStore();
  const deaf = () => ({ store, gate: new InMemoryIdempotencyGate(store) });
  return withBakery({ shop: deaf() }, (winner) =>
    withBakery(
      {
        shop: deaf(),
        bake: async (...args) => {
          await post(winner.url, order, keyed('k1'));
          return bake(...args);
        },
      },
      async (loser) => {
        const answer = await post(loser.url, order, keyed('k1'));
        const first = await post(winner.url, order, keyed('k1'));
        assert.equal([answer.status, answer.text, replayed(answer)], [200, first.text, 'true']);
        assert.is((await storedIn(winner)).length, 1);
      },
    ),
  );
});
