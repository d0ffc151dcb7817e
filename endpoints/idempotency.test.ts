import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { IdempotencyGate } from '../contracts/idempotency-gate.js';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { InMemoryEventStore } from '../runtime/kit/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../runtime/kit/in-memory-idempotency-gate.js';
import { bake, type Kitchen, order, withBakery } from './testing/bakery.js';
import { storedIn, throws } from './testing/bakery-answers.js';
import { type Answered, jsonOf, keyed, post, problemIn, refusalIn } from './testing/http-client.js';

const test = suite('idempotency key');

/** A kitchen that records everything it is asked to do. */
function watched(kitchen: Kitchen = {}) {
  const diary: string[] = [];
  const all: Kitchen = {
    ...kitchen,
    before: async (...args) => {
      diary.push('before');
      await kitchen.before?.(...args);
    },
    bake: (...args) => {
      diary.push('handler');
      return (kitchen.bake ?? bake)(...args);
    },
    after: async (...args) => {
      diary.push('after');
      await kitchen.after?.(...args);
    },
    recover: (...args) => {
      diary.push('recover');
      return kitchen.recover?.(...args);
    },
  };
  return { kitchen: all, diary };
}

const replayed = ({ headers }: Answered): string | undefined => {
  const value = headers['idempotency-replayed'];
  return typeof value === 'string' ? value : undefined;
};

/** The same request twice; returns the second answer, and what was done for it. */
async function twice(kitchen: Kitchen, path = '/bread', body: unknown = order) {
  const { kitchen: all, diary } = watched(kitchen);
  const answers: Answered[] = [];
  let events = 0;
  await withBakery(all, async (bakery) => {
    answers.push(await post(bakery.url, body, { path, ...keyed('k1') }));
    diary.push('—');
    answers.push(await post(bakery.url, body, { path, ...keyed('k1') }));
    events = (await storedIn(bakery)).length;
  });
  const [first, second] = answers;
  assert.ok(first && second);
  return { first, second, events, again: diary.slice(diary.indexOf('—') + 1) };
}

test('a repeated request gets the identical answer, runs no hook and stores nothing', async () => {
  const { first, second, events, again } = await twice({});
  assert.is(first.status, 200);
  assert.is(replayed(first), undefined);
  assert.equal([second.status, second.text, replayed(second)], [200, first.text, 'true']);
  assert.is(second.headers['content-type'], 'application/json; charset=utf-8');
  assert.is(events, 1);
  assert.equal(again, []);
});

test('an answer without a body is repeated as 204', async () => {
  const { first, second, again } = await twice({ bake: () => undefined });
  assert.equal([first.status, second.status, second.text, replayed(second)], [204, 204, '', 'true']);
  assert.equal(again, []);
});

test('a request mapped to its command is repeated without mapping it again', async () => {
  const { second, again } = await twice({}, '/bun', { who: 'Grace' });
  assert.is(replayed(second), 'true');
  assert.equal(again, []);
});

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
  const { kitchen } = watched({
    bake: (...args) =>
      new Promise((resolve) => {
        finish = () => resolve(bake(...args));
        running();
      }),
  });
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

test('after an after-hook has failed, the repetition is answered 200 with the result', async () => {
  const { first, second, events, again } = await twice({ after: throws(new Problem('not-found')) });
  assert.is(refusalIn(first), '500 after-hook-failed');
  assert.equal([second.status, replayed(second)], [200, 'true']);
  assert.is((jsonOf(second) as { baked: number }).baked, 2);
  assert.is(events, 1);
  assert.equal(again, []);
});

test("the error-hook's result is repeated without running anything again", async () => {
  const { first, second, again } = await twice({
    bake: throws(new RangeError('oven')),
    recover: () => ({ baked: 0 }),
  });
  assert.is(first.status, 200);
  assert.equal([second.text, replayed(second)], ['{"baked":0}', 'true']);
  assert.equal(again, []);
});

for (const status of [400, 404, 410, 418, 422, 451]) {
  test(`a ${status} of the handler is repeated`, async () => {
    const { first, second, again } = await twice({
      bake: throws(new Problem('sold-out', { status, detail: 'Nothing is left.' })),
    });
    assert.is(refusalIn(first), `${status} sold-out`);
    assert.equal([second.status, second.text, replayed(second)], [status, first.text, 'true']);
    assert.is(second.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(again, []);
  });
}

for (const status of [401, 403, 408, 409, 425, 429, 499, 500, 503]) {
  test(`a ${status} of the handler is not kept: the repetition is tried again`, async () => {
    const { first, second, again } = await twice({ bake: throws(new Problem('not-now', { status })) });
    assert.is(refusalIn(first), `${status} not-now`);
    assert.is(replayed(second), undefined);
    assert.equal(again, ['before', 'handler', 'recover']);
  });
}

test('a refusal of the before-hook is not kept, even as a 404', async () => {
  const { first, second, again } = await twice({ before: throws(new Problem('not-found')) });
  assert.equal([first.status, second.status, replayed(second)], [404, 404, undefined]);
  assert.equal(again, ['before']);
});

test('a refusal of the mapping is not kept', async () => {
  const kitchen = { map: throws(new Problem('no-such-bun', { status: 404 })) };
  const { second } = await twice(kitchen, '/bun', { who: 'Grace' });
  assert.equal([refusalIn(second), replayed(second)], ['404 no-such-bun', undefined]);
});

test('a problem of the error-hook is not the handler’s, and is not kept', async () => {
  const { second, again } = await twice({
    bake: throws(new RangeError('oven')),
    recover: throws(new Problem('sold-out', { status: 404 })),
  });
  assert.equal([second.status, replayed(second)], [404, undefined]);
  assert.equal(again, ['before', 'handler', 'recover']);
});

test('an unexpected failure is not kept', async () => {
  const { second, again } = await twice({ bake: throws(new TypeError('oven')) });
  assert.equal([second.status, replayed(second)], [500, undefined]);
  assert.equal(again, ['before', 'handler', 'recover']);
});

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
