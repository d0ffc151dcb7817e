import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { MutationContext } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import { isUuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { withBakery } from '../testing/bakery.js';
import { storedIn, throws } from '../testing/bakery-answers.js';
import { ask, codesIn, resultIn } from '../testing/graphql-client.js';
import { post, refusalIn } from '../testing/http-client.js';
import { type Parcel, type SendParcel, sendParcel } from '../testing/parcels.js';

const test = suite('GraphQL route');

const to = '01890a5d-ac96-774b-bcce-b302099a8057';
const command = { to, weight: '1.50' };
const sending = (selection = '{ price }') =>
  `mutation Send($command: SendParcelInput!) { sendParcel(command: $command) ${selection} }`;
const several = (...fields: readonly string[]) => `mutation { ${fields.join(' ')} }`;
const inline = (weight: string) => `sendParcel(command: { to: "${to}", weight: ${weight} }) { price }`;

const graphqlResponse = { accept: 'application/graphql-response+json' };

const refusing =
  (weight: string, error: unknown): typeof sendParcel =>
  (given, work) => {
    if (given.weight === weight) throw error;
    return sendParcel(given, work);
  };

test('a mutation runs its command and returns the selected fields', () =>
  withBakery({}, async (bakery) => {
    const { status, data, errors } = await ask(bakery.url, sending('{ price speed stops { city } }'), {
      command,
    });
    assert.is(status, 200);
    assert.equal(errors, []);
    assert.equal(data, { sendParcel: { price: '1.50', speed: 'normal', stops: [{ city: 'Bern' }] } });
    assert.is((await storedIn(bakery)).length, 1);
  }));

test('REST and GraphQL share the endpoint, so a before-hook guards both', async () => {
  const asked: string[] = [];
  const before = (_command: unknown, { transport }: MutationContext) => {
    asked.push(transport);
    throw new Problem('access-denied', { detail: 'Not today.' });
  };
  await withBakery({ before }, async (bakery) => {
    const rest = await post(bakery.url, command, { path: '/parcels' });
    const graphql = await ask(bakery.url, sending(), { command });
    assert.is(refusalIn(rest), '403 access-denied');
    assert.equal(codesIn(graphql), ['403 access-denied']);
    assert.is(graphql.errors[0]?.message, 'Not today.');
    assert.equal(graphql.data, { sendParcel: null });
    assert.is(graphql.status, 200);
    assert.equal(asked, ['rest', 'graphql']);
    assert.equal(await storedIn(bakery), []);
  });
});

test('a failing after-hook reports that the command was committed', () =>
  withBakery({ after: throws(new Problem('no-stamps', { status: 409 })) }, async (bakery) => {
    const answer = await ask(bakery.url, sending(), { command });
    assert.equal(codesIn(answer), ['500 after-hook-failed']);
    const { committed, cause } = answer.errors[0]?.extensions ?? {};
    assert.equal([committed, cause], [true, 'no-stamps']);
    assert.is((await storedIn(bakery)).length, 1);
  }));

test('ids come from the request; every field has its own message id', async () => {
  const contexts: MutationContext[] = [];
  const before = (_command: unknown, context: MutationContext) => void contexts.push(context);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await withBakery({ before }, async ({ url }) => {
    const headers = { 'x-correlation-id': 'shop-7', traceparent };
    const answer = await ask(url, several(`a: ${inline('1')}`, `b: ${inline('2')}`), undefined, headers);
    assert.is(answer.headers['x-correlation-id'], 'shop-7');
    assert.is(answer.headers.traceparent, traceparent);
  });
  assert.equal(
    contexts.map(({ correlationId }) => correlationId),
    ['shop-7', 'shop-7'],
  );
  assert.ok(contexts.every((context) => context.traceparent === traceparent && isUuid(context.messageId)));
  assert.is(new Set(contexts.map(({ messageId }) => messageId)).size, 2);
});

test('the mutations of a document run in order, each in its own unit', async () => {
  const diary: string[] = [];
  const slowFirst = async (given: SendParcel, work: UnitOfWork): Promise<Parcel> => {
    diary.push(`start ${given.weight}`);
    await delay(given.weight === '1' ? 30 : 0);
    diary.push(`end ${given.weight}`);
    return sendParcel(given, work);
  };
  await withBakery({ send: slowFirst }, async (bakery) => {
    const fields = ['1', '2', '3'].map((weight) => `p${weight}: ${inline(weight)}`);
    const { data } = await ask(bakery.url, several(...fields));
    assert.equal(data, { p1: { price: '1' }, p2: { price: '2' }, p3: { price: '3' } });
    assert.is((await storedIn(bakery)).length, 3);
  });
  assert.equal(diary, ['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3']);
});

test('a failed field does not affect the others', () =>
  withBakery({ send: refusing('2', new Problem('parcel-lost', { status: 404 })) }, async (bakery) => {
    const fields = ['1', '2', '3'].map((weight) => `p${weight}: ${inline(weight)}`);
    const answer = await ask(bakery.url, several(...fields));
    assert.equal(answer.data, { p1: { price: '1' }, p2: null, p3: { price: '3' } });
    assert.equal(
      answer.errors.map(({ path }) => path),
      [['p2']],
    );
    assert.equal(codesIn(answer), ['404 parcel-lost']);
    assert.is(answer.status, 200);
    assert.is((await storedIn(bakery)).length, 2);
  }));

test('a failed field is 200 in either media type: the document was executed', () =>
  withBakery({ send: throws(new Problem('parcel-lost', { status: 404 })) }, async ({ url }) => {
    assert.is((await ask(url, sending(), { command }, graphqlResponse)).status, 200);
  }));

test('a command without a result answers true; a request is mapped to its command', () =>
  withBakery({}, async ({ url }) => {
    const fields = several(`returnParcel(request: { parcelId: "${to}" })`, 'openBakery');
    assert.equal((await ask(url, fields)).data, { returnParcel: true, openBakery: true });
  }));

for (const result of [true, false, null]) {
  test(`${String(result)} is a result`, () =>
    withBakery({ open: () => result }, async ({ url }) => {
      assert.equal((await ask(url, 'mutation { openBakery }')).data, { openBakery: result });
    }));
}

test('unions, maps, enums and null are accepted and returned', () =>
  withBakery({}, async ({ url }) => {
    const payment = { method: 'by-transfer', iban: 'CH93' };
    const given = { ...command, speed: 'express', labels: { 'a-b': 'c' }, payment, note: null };
    const selection =
      '{ speed labels note payment { __typename ... on Card { number } ... on Transfer { method iban } } }';
    const { data } = await ask(url, sending(selection), { command: given });
    assert.equal(data, {
      sendParcel: {
        speed: 'express',
        labels: { 'a-b': 'c' },
        note: null,
        payment: { __typename: 'Transfer', ...payment },
      },
    });
  }));

test('decimals keep their digits, as text, as a number and as a literal', () =>
  withBakery({}, async ({ url }) => {
    const priceOf = async (weight: unknown) =>
      (await ask(url, sending(), { command: { to, weight } })).data?.['sendParcel'];
    assert.equal(await priceOf('2.10'), { price: '2.10' });
    assert.equal(await priceOf(2.5), { price: '2.5' });
    assert.equal((await ask(url, several(inline('2.10')))).data, { sendParcel: { price: '2.10' } });
  }));

test('a value that the decoder refuses fails the field with all faults', () =>
  withBakery({}, async (bakery) => {
    const answer = await ask(bakery.url, sending(), { command: { to: 'nobody', weight: '1e3' } });
    assert.equal(codesIn(answer), ['422 invalid-command']);
    assert.equal(
      answer.errors[0]?.extensions.errors?.map(({ path }) => path),
      ['/to', '/weight'],
    );
    assert.equal(answer.data, { sendParcel: null });
    assert.equal(await storedIn(bakery), []);
  }));

const refusedByGraphQL: Readonly<Record<string, unknown>> = {
  'an unknown property': { ...command, admin: true },
  'a missing property': { to },
  'a value outside of its enum': { ...command, speed: 'warp' },
  'not an object': 'parcel',
};

for (const [name, given] of Object.entries(refusedByGraphQL)) {
  test(`${name} is refused, and nothing runs`, () =>
    withBakery({ before: throws(new Problem('ran')) }, async ({ url }) => {
      const answer = await ask(url, sending(), { command: given });
      assert.equal(codesIn(answer), ['400 invalid-query']);
      assert.is(answer.data, undefined);
      assert.is(answer.status, 200);
      assert.is((await ask(url, sending(), { command: given }, graphqlResponse)).status, 400);
    }));
}

const wrongDocuments: Readonly<Record<string, string>> = {
  'that cannot be parsed': 'mutation {',
  'that is not valid': 'mutation { burnParcel }',
  'without an operation': 'fragment P on Parcel { price }',
  'with several operations and no name': 'query A { service } query B { service }',
  'with a subscription': 'subscription { parcels }',
  'too deep': '{ a '.repeat(13) + '}'.repeat(13),
  'with too many aliases': several(...Array.from({ length: 33 }, (_, n) => `a${n}: openBakery`)),
  'with too many tokens': several('openBakery '.repeat(999)),
  'that is too long': `{ service }${' '.repeat(16_384)}`,
};

for (const [name, query] of Object.entries(wrongDocuments)) {
  test(`a document ${name} is refused: 200 with application/json, else 400`, () =>
    withBakery({ before: throws(new Problem('ran')) }, async ({ url }) => {
      const [plain, modern] = [await ask(url, query), await ask(url, query, undefined, graphqlResponse)];
      assert.equal([plain.status, modern.status], [200, 400]);
      assert.equal([plain.data, modern.data], [undefined, undefined]);
      assert.ok(codesIn(plain).every((code) => code === '400 invalid-query'));
      assert.ok(plain.errors.length > 0);
    }));
}

test('an argument that turns out to be null is an error of the caller', () =>
  withBakery({ before: throws(new Problem('ran')) }, async ({ url }) => {
    const query = `mutation ($command: SendParcelInput = { to: "${to}", weight: 1 }) { sendParcel(command: $command) { price } }`;
    assert.equal(codesIn(await ask(url, query, { command: null })), ['400 invalid-query']);
  }));

test('of several operations the named one runs', () =>
  withBakery({}, async ({ url }) => {
    const query = 'query A { service } mutation B { openBakery }';
    const named = { query, operationName: 'B' };
    assert.equal(resultIn(await post(url, named, { path: '/graphql' })).data, { openBakery: true });
    const unknown = resultIn(await post(url, { query, operationName: 'C' }, { path: '/graphql' }));
    assert.match(unknown.errors[0]?.message ?? '', 'There is no operation named "C"');
  }));
