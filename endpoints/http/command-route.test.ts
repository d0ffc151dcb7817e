import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/testing/collect.js';
import { type Bakery, bake, BreadBaked, type Kitchen, order, withBakery } from '../testing/bakery.js';
import {
  type Answered,
  openRaw,
  jsonOf,
  type RawConnection,
  post,
  problemIn,
  rawPost,
  refusalIn,
} from '../testing/http-client.js';

const test = suite('command route');

async function answerOf(kitchen: Kitchen, path = '/bread', body: unknown = order): Promise<Answered> {
  const answers: Answered[] = [];
  await withBakery(kitchen, async ({ url }) => {
    answers.push(await post(url, body, { path }));
  });
  const [answer] = answers;
  assert.ok(answer);
  return answer;
}

const throws = (error: unknown) => (): never => {
  throw error;
};

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

const storedIn = ({ store }: Bakery) => collect(store.readAll({ after: 0 }));

test('the hooks run around the commit: before, handler, after, then the answer', async () => {
  const diary: string[] = [];
  await withBakery(
    {
      before: () => void diary.push('before'),
      bake: (command, signal, work) => {
        diary.push('handler');
        return bake(command, signal, work);
      },
      after: () => void diary.push('after'),
    },
    async (bakery) => {
      await post(bakery.url, order);
      assert.equal(diary, ['before', 'handler', 'after']);
      assert.is((await storedIn(bakery)).length, 1);
    },
  );
});

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

test('an error of the before-hook is the answer: nothing is dispatched, and the error-hook is not called', async () => {
  const diary: string[] = [];
  const answer = await answerOf({
    before: throws(new Problem('access-denied')),
    bake: () => diary.push('handler'),
    recover: () => diary.push('recover'),
  });
  assert.is(refusalIn(answer), '403 access-denied');
  assert.equal(diary, []);
});

test('a request is mapped to its command', async () => {
  const answer = await answerOf({ bake: ({ customer }) => customer }, '/bun', { who: 'Grace' });
  assert.is(jsonOf(answer), 'Grace');
});

test('an error of the mapping is the answer', async () => {
  const answer = await answerOf({ map: throws(new Problem('no-such-bun', { status: 404 })) }, '/bun', {
    who: 'Grace',
  });
  assert.is(refusalIn(answer), '404 no-such-bun');
});

test('an after-hook that fails is answered 500 after-hook-failed, with the note that the command was carried out', () =>
  withBakery({ after: throws(new TypeError('secret')) }, async (bakery) => {
    const answer = await post(bakery.url, order);
    assert.is(refusalIn(answer), '500 after-hook-failed');
    assert.is(problemIn(answer).committed, true);
    assert.is((await storedIn(bakery)).length, 1);
  }));

test('a problem of the after-hook does not hide that the command was carried out', async () => {
  const answer = await answerOf({ after: throws(new Problem('no-stamps', { status: 409 })) });
  assert.is(refusalIn(answer), '500 after-hook-failed');
  const { committed, cause } = problemIn(answer);
  assert.equal([committed, cause], [true, 'no-stamps']);
});

test("the error-hook's result is answered 200, and nothing of the failed unit is stored", () =>
  withBakery(
    {
      bake: (_command, _signal, work) => {
        work.append(newUuid(), BreadBaked.of({ customer: 'Ada', loaves: 1 }));
        throw new RangeError('oven');
      },
      recover: (_command, error) => (error instanceof RangeError ? { baked: 0 } : null),
    },
    async (bakery) => {
      const answer = await post(bakery.url, order);
      assert.is(answer.status, 200);
      assert.equal(jsonOf(answer), { baked: 0 });
      assert.equal(await storedIn(bakery), []);
    },
  ));

test('an error of the error-hook is the answer', async () => {
  const answer = await answerOf({
    bake: throws(new RangeError('oven')),
    recover: throws(new Problem('closed-for-today', { status: 409 })),
  });
  assert.is(refusalIn(answer), '409 closed-for-today');
});

test('a conflict in the commit is answered 409 stream-conflict', () =>
  withBakery(
    {
      bake: ({ customer, loaves }, _signal, work) =>
        void work.append(newUuid(), BreadBaked.of({ customer, loaves }), { expectedPosition: 3 }),
    },
    async (bakery) => {
      assert.is(refusalIn(await post(bakery.url, order)), '409 stream-conflict');
      assert.equal(await storedIn(bakery), []);
    },
  ));

test('an event that cannot be stored is an internal error: 500 unexpected', async () => {
  const bad: Kitchen['bake'] = (_command, _signal, work) =>
    void work.append('no uuid', BreadBaked.of({ customer: 'Ada', loaves: 1 }));
  assert.is(refusalIn(await answerOf({ bake: bad })), '500 unexpected');
});

/** Handlers that never return by themselves. */
function stuck() {
  const works: UnitOfWork[] = [];
  const signals: AbortSignal[] = [];
  const entered: (() => void)[] = [];
  const bakeForever: Kitchen['bake'] = (_command, signal, work) => {
    works.push(work);
    signals.push(signal);
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
  return withBakery(
    { bake: bakeForever, receptor: { concurrency: 1, mailbox: 1 }, deadlineMs: 400 },
    async ({ url }) => {
      const running = arrival();
      const first = post(url, order);
      await running;
      const others = await Promise.all([post(url, order), post(url, order), post(url, order)]);
      const refusals = others.map(refusalIn).toSorted();
      assert.equal(refusals, ['503 overloaded', '503 overloaded', '504 deadline-exceeded']);
      assert.is(others.find(({ status }) => status === 503)?.headers['retry-after'], '1');
      assert.is(refusalIn(await first), '504 deadline-exceeded');
      assert.is(refusalIn(await post(url, order)), '504 deadline-exceeded');
    },
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

test('the after-hook runs even if the client disconnected after the commit', async () => {
  const lines: RawConnection[] = [];
  let resolveAborted: (aborted: boolean) => void;
  const afterRan = new Promise<boolean>((resolve) => {
    resolveAborted = resolve;
  });
  await withBakery(
    {
      bake: (command, signal, work) => {
        work.defer(() => lines[0]?.close());
        return bake(command, signal, work);
      },
      after: async (_command, _result, { cancellationToken }) => {
        await aborted(cancellationToken);
        resolveAborted(cancellationToken.aborted);
      },
    },
    async (bakery) => {
      const line = await openRaw(bakery.url);
      lines.push(line);
      line.write(rawPost('/bread', JSON.stringify(order)));
      assert.is(await afterRan, true);
      assert.is((await storedIn(bakery)).length, 1);
    },
  );
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

test.run();
