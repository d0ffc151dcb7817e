import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { BreadBaked, type Kitchen, order, withBakery } from '../testing/bakery.js';
import { jsonOf, post, problemIn, refusalIn } from '../testing/http-client.js';
import { answerOf, throws, storedIn } from '../testing/bakery-answers.js';

const test = suite('command route');

test('a command without a result is answered 204 without a body', async () => {
  const answer = await answerOf({ bake: () => undefined });
  assert.is(answer.status, 204);
  assert.is(answer.text, '');
  assert.is(answer.headers['content-type'], undefined);
});

test('a result without JSON is answered 500, with the note that the command was carried out', async () => {
  const answer = await answerOf({ bake: () => ({ loaves: 2n }) });
  assert.is(answer.status, 500);
  assert.is((jsonOf(answer) as { committed?: boolean }).committed, true);
});

for (const result of [null, false, 0, '', []]) {
  test(`${JSON.stringify(result)} is a result: 200`, async () => {
    const answer = await answerOf({ bake: () => result });
    assert.is(answer.status, 200);
    assert.equal(jsonOf(answer), result);
  });
}

test('a problem of the handler keeps its code, status, title, detail and extensions', async () => {
  const answer = await answerOf({
    bake: throws(
      new Problem('oven-cold', {
        status: 418,
        title: 'The oven is cold',
        detail: 'Heat it first.',
        extensions: { degrees: 20, status: 'forged', correlationId: 'forged' },
        retryAfter: 7,
        headers: { 'x-oven': 'cold' },
      }),
    ),
  });
  const { correlationId, ...problem } = problemIn(answer);
  assert.equal(problem, {
    degrees: 20,
    status: 418,
    type: 'urn:svc:problem:oven-cold',
    title: 'The oven is cold',
    detail: 'Heat it first.',
    instance: '/bread',
  });
  assert.is(correlationId, answer.headers['x-correlation-id']);
  assert.is(answer.headers['retry-after'], '7');
  assert.is(answer.headers['x-oven'], 'cold');
});

for (const [what, thrown] of Object.entries({
  'an error': new TypeError('secret of the house'),
  'a text': 'secret',
  'a number': 404,
  null: null,
  undefined: undefined,
  'an object that looks like a problem': { code: 'secret', status: 200 },
  'a problem with an invalid status': new Problem('secret', { status: 200, detail: 'secret' }),
  'a problem that reveals internals': new Problem('invalid-setup', { detail: 'secret' }),
})) {
  test(`${what} thrown by the handler is answered 500 unexpected, and reveals nothing`, async () => {
    const answer = await answerOf({ bake: throws(thrown) });
    assert.is(refusalIn(answer), '500 unexpected');
    assert.is(problemIn(answer).detail, undefined);
  });
}

for (const [what, init] of Object.entries({
  'an extension without JSON': { extensions: { loaves: 1n } },
  'an invalid HTTP header': { headers: { 'x-note': 'crème\nbrûlée' } },
})) {
  test(`a problem with ${what} is still answered`, async () => {
    const answer = await answerOf({ bake: throws(new Problem('odd', { status: 400, ...init })) });
    assert.is(refusalIn(answer), '500 unexpected');
  });
}

test('a result without JSON is answered 500 unexpected', async () => {
  assert.is(refusalIn(await answerOf({ bake: () => ({ loaves: 1n }) })), '500 unexpected');
});

test('a conflict in the commit is answered 409 stream-conflict', () =>
  withBakery(
    {
      bake: ({ customer, loaves }, work) =>
        void work.append(newUuid(), BreadBaked.of({ customer, loaves }), { expectedPosition: 3 }),
    },
    async (bakery) => {
      assert.is(refusalIn(await post(bakery.url, order)), '409 stream-conflict');
      assert.equal(await storedIn(bakery), []);
    },
  ));

test('an event that cannot be stored is an internal error: 500 unexpected', async () => {
  const bad: Kitchen['bake'] = (_command, work) =>
    void work.append('no uuid', BreadBaked.of({ customer: 'Ada', loaves: 1 }));
  assert.is(refusalIn(await answerOf({ bake: bad })), '500 unexpected');
});

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a correlation id and a traceparent are echoed and stored with the events', () =>
  withBakery({}, async (bakery) => {
    const headers = { 'x-correlation-id': 'order-7', traceparent: trace };
    const answer = await post(bakery.url, order, { headers });
    const [event] = await storedIn(bakery);
    assert.is(answer.headers['x-correlation-id'], 'order-7');
    assert.is(answer.headers['traceparent'], trace);
    assert.is(event?.correlationId, 'order-7');
    assert.is(event?.traceparent, trace);
  }));

test('without ids each request gets its own', () =>
  withBakery({}, async (bakery) => {
    const [one, two] = [await post(bakery.url, order), await post(bakery.url, order)];
    const ids = [one, two].map(({ headers }) => headers['x-correlation-id']);
    assert.match(String(ids[0]), /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    assert.is.not(ids[0], ids[1]);
    assert.match(String(one.headers['traceparent']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    assert.equal(
      (await storedIn(bakery)).map(({ correlationId }) => correlationId),
      ids,
    );
  }));

test('a refusal carries the ids of its request too', () =>
  withBakery({}, async ({ url }) => {
    for (const path of ['/bread', '/none']) {
      const headers = { 'x-correlation-id': 'order-8', traceparent: trace };
      const answer = await post(url, {}, { path, headers });
      assert.is(problemIn(answer).correlationId, 'order-8');
      assert.is(answer.headers['traceparent'], trace);
    }
  }));

for (const given of ['two words', 'x'.repeat(129), '']) {
  test(`the correlation id '${given.slice(0, 12)}' of ${given.length} characters is replaced`, () =>
    withBakery({}, async ({ url }) => {
      const answer = await post(url, order, { headers: { 'x-correlation-id': given } });
      assert.match(String(answer.headers['x-correlation-id']), /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    }));
}
