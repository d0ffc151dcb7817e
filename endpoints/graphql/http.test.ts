import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { withBakery } from '../testing/bakery.js';
import { ask, codesIn, resultIn } from '../testing/graphql-client.js';
import { type Asked, openRaw, post, rawPost, refusalIn, send } from '../testing/http-client.js';
import { sendParcel } from '../testing/parcels.js';

const test = suite('GraphQL over HTTP');

const to = '01890a5d-ac96-774b-bcce-b302099a8057';
const command = { to, weight: '1.50' };
const sending = 'mutation ($command: SendParcelInput!) { sendParcel(command: $command) { parcelId price } }';
const both = `mutation ($command: SendParcelInput!) {
  first: sendParcel(command: $command) { parcelId }
  second: sendParcel(command: $command) { parcelId }
}`;
const keyed = (key: string) => ({ 'idempotency-key': key });
const at = (path: string, asked: Asked = {}): Asked => ({ method: 'GET', path, ...asked });
const search = (parameters: Readonly<Record<string, string>>): string =>
  `/graphql?${new URLSearchParams(parameters).toString()}`;

test('a query may be sent by GET', () =>
  withBakery({}, async ({ url }) => {
    const parameters = {
      query: 'query A { service } query B { __typename }',
      operationName: 'A',
      variables: '{}',
    };
    const { data, status } = resultIn(await send(url, at(search(parameters))));
    assert.equal([status, data], [200, { service: 'svc-runtime' }]);
  }));

test('a mutation by GET is 405', () =>
  withBakery({ before: () => assert.unreachable() }, async ({ url }) => {
    const answer = await send(url, at(search({ query: 'mutation { openBakery }' })));
    assert.is(refusalIn(answer), '405 method-not-allowed');
    assert.is(answer.headers.allow, 'POST');
  }));

test('a GET without a query is 400', () =>
  withBakery({}, async ({ url }) => {
    assert.is(refusalIn(await send(url, at('/graphql'))), '400 malformed-request');
  }));

for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
  test(`${method} is 405`, () =>
    withBakery({}, async ({ url }) => {
      const answer = await send(url, { method, path: '/graphql' });
      assert.is(refusalIn(answer), '405 method-not-allowed');
      assert.is(answer.headers.allow, 'GET, POST');
    }));
}

const malformed: Readonly<Record<string, readonly [string | undefined, string]>> = {
  'no body': [undefined, '400 malformed-json'],
  'nothing as a body': ['', '400 malformed-json'],
  'no JSON': ['{', '400 malformed-json'],
  'a batch': ['[{"query":"{ service }"}]', '400 malformed-request'],
  'no query': ['{"qeury":"{ service }"}', '400 malformed-request'],
  'variables that are a list': ['{"query":"{ service }","variables":[1]}', '400 malformed-request'],
  'a key that reaches for a prototype': ['{"query":"{ service }","__proto__":{}}', '400 malformed-json'],
  'too much': [`{"query":"${'x'.repeat(1_048_576)}"}`, '413 body-too-large'],
};

for (const [name, [body, refusal]] of Object.entries(malformed)) {
  test(`${name} is a problem: ${refusal}`, () =>
    withBakery({}, async ({ url }) => {
      const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
      const asked = { path: '/graphql', headers, ...(body === undefined ? {} : { body }) };
      assert.is(refusalIn(await send(url, asked)), refusal);
    }));
}

test('another content type is 415', () =>
  withBakery({}, async ({ url }) => {
    const headers = { 'content-type': 'application/graphql' };
    const answer = await send(url, { path: '/graphql', headers, body: '{ service }' });
    assert.is(refusalIn(answer), '415 unsupported-media-type');
  }));

test('a client that accepts neither media type is refused, and nothing runs', () =>
  withBakery({ before: () => assert.unreachable() }, async ({ url }) => {
    const body = { query: 'mutation { openBakery }' };
    const answer = await post(url, body, { path: '/graphql', headers: { accept: 'text/plain' } });
    assert.is(refusalIn(answer), '406 not-acceptable');
  }));

test('no internals are revealed', () =>
  withBakery(
    {
      send: () => {
        throw new TypeError('secret: cannot read SELECT of svc_events');
      },
    },
    async ({ url }) => {
      const answer = await ask(url, sending, { command });
      assert.equal(codesIn(answer), ['500 unexpected']);
      assert.is(answer.errors[0]?.message, 'Something went wrong');
    },
  ));

test('a result that does not fit the schema is an internal error, and is not revealed', () =>
  withBakery({ send: () => ({ parcelId: 7, price: { secret: 'recipe' } }) }, async ({ url }) => {
    const answer = await ask(url, sending, { command });
    assert.equal(codesIn(answer), ['500 unexpected']);
    assert.equal(answer.data, { sendParcel: null });
  }));

test('a repeated key repeats the result and runs no hook', async () => {
  let hooks = 0;
  await withBakery({ before: () => void hooks++ }, async ({ url }) => {
    const first = await ask(url, sending, { command }, keyed('k'));
    const again = await ask(url, sending, { command }, keyed('k'));
    assert.is(again.text, first.text);
    assert.is(first.headers['idempotency-replayed'], undefined);
    assert.is(again.headers['idempotency-replayed'], 'true');
    assert.is(hooks, 1);
  });
});

test('a key applies per field', () =>
  withBakery({}, async ({ url }) => {
    const first = await ask(url, both, { command }, keyed('k'));
    assert.not.equal(first.data?.['first'], first.data?.['second']);
    const again = await ask(url, both, { command }, keyed('k'));
    assert.is(again.text, first.text);
    assert.is(again.headers['idempotency-replayed'], 'true');
    const more = await ask(url, both.replace('second:', 'third:'), { command }, keyed('k'));
    assert.equal(more.data?.['first'], first.data?.['first']);
    assert.is(more.headers['idempotency-replayed'], undefined);
  }));

test('a key of another command fails the field', () =>
  withBakery({}, async ({ url }) => {
    await ask(url, sending, { command }, keyed('k'));
    const other = await ask(url, sending, { command: { ...command, weight: '2' } }, keyed('k'));
    assert.equal(codesIn(other), ['422 idempotency-key-reused']);
  }));

test("a handler's refusal is repeated with all its members", async () => {
  let runs = 0;
  const refuse = () => {
    runs++;
    const errors = [{ path: '/to', message: 'is unknown' }];
    throw new Problem('parcel-refused', { status: 422, detail: 'No.', errors, extensions: { desk: 4 } });
  };
  await withBakery({ send: refuse }, async ({ url }) => {
    const headers = { ...keyed('k'), 'x-correlation-id': 'same' };
    const first = await ask(url, sending, { command }, headers);
    const again = await ask(url, sending, { command }, headers);
    assert.equal(codesIn(first), ['422 parcel-refused']);
    assert.is(again.text, first.text);
    assert.is(again.headers['idempotency-replayed'], 'true');
    assert.is(runs, 1);
  });
});

test('the answer of a command without a result is repeated as true', () =>
  withBakery({}, async ({ url }) => {
    await ask(url, 'mutation { openBakery }', undefined, keyed('k'));
    const again = await ask(url, 'mutation { openBakery }', undefined, keyed('k'));
    assert.equal(again.data, { openBakery: true });
    assert.is(again.headers['idempotency-replayed'], 'true');
  }));

test('an invalid key is 400 before anything runs', () =>
  withBakery({ before: () => assert.unreachable() }, async ({ url }) => {
    const headers = keyed('k'.repeat(256));
    const answer = await post(url, { query: 'mutation { openBakery }' }, { path: '/graphql', headers });
    assert.is(refusalIn(answer), '400 invalid-header');
  }));

test('the deadline applies to the whole document', async () => {
  const started: string[] = [];
  const slow: typeof sendParcel = (given, work) => {
    started.push(given.weight);
    return given.weight === '1' ? sendParcel(given, work) : (once(work.signal, 'abort') as never);
  };
  await withBakery({ send: slow, deadlineMs: 200 }, async ({ url }) => {
    const fields = ['1', '2', '3'].map(
      (weight) => `p${weight}: sendParcel(command: { to: "${to}", weight: ${weight} }) { price }`,
    );
    const answer = await ask(url, `mutation { ${fields.join(' ')} }`);
    assert.equal(answer.data, { p1: { price: '1' }, p2: null, p3: null });
    assert.equal(codesIn(answer), ['504 deadline-exceeded', '504 deadline-exceeded']);
  });
  assert.equal(started, ['1', '2']);
});

test('when the client disconnects, the running mutation is cancelled and the next never starts', async () => {
  const reasons: unknown[] = [];
  const cancelled = deferred();
  const begun = deferred();
  const waiting = async (_given: unknown, { signal }: UnitOfWork) => {
    begun.resolve();
    await once(signal, 'abort');
    reasons.push((signal.reason as Problem).code);
    cancelled.resolve();
  };
  await withBakery({ send: waiting }, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(rawPost('/graphql', JSON.stringify({ query: both, variables: { command } })));
    await begun.promise;
    line.close();
    await cancelled.promise;
    await server.drain();
  });
  assert.equal(reasons, ['client-gone']);
});

test('introspection is for development', async () => {
  const query = '{ __schema { queryType { name } } }';
  await withBakery({ http: { development: true } }, async ({ url }) => {
    assert.equal((await ask(url, query)).data, { __schema: { queryType: { name: 'Query' } } });
  });
  await withBakery({ http: { development: false } }, async ({ url }) => {
    assert.ok(codesIn(await ask(url, query)).includes('400 invalid-query'));
  });
});

test('suggestions are for development, in documents and in variables', async () => {
  const suggests = async (development: boolean) => {
    const texts: string[] = [];
    await withBakery({ http: { development } }, async ({ url }) => {
      texts.push((await ask(url, 'mutation { openBaker }')).text);
      texts.push((await ask(url, sending, { command: { ...command, weigh: 1 } })).text);
      texts.push((await ask(url, sending, { command: { ...command, speed: 'norma' } })).text);
    });
    return texts.map((text) => text.includes('Did you mean'));
  };
  assert.equal(await suggests(true), [true, true, true]);
  assert.equal(await suggests(false), [false, false, false]);
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
