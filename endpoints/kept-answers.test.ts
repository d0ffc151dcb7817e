import * as assert from 'uvu/assert';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { bake, type Kitchen, order, withBakery } from './testing/bakery.js';
import { replayed, storedIn, throws } from './testing/bakery-answers.js';
import { type Answered, jsonOf, keyed, post, refusalIn } from './testing/http-client.js';

const test = suite('answers that are kept under an idempotency key');

/** A kitchen that records everything it is asked to do. */
function watched(kitchen: Kitchen) {
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
