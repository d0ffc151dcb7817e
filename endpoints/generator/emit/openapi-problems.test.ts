import * as assert from 'uvu/assert';
import { decodeBody, int, map } from '../../../contracts/codec.js';
import { problems } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { problemBody, problemOf } from '../../problem.js';
import { parseQuery } from '../../queries/parse-query.js';
import { problemComponents, problemResponses, problemSchema } from './openapi-problems.js';
import { askOracle } from './testing/schema-oracle.js';

const test = suite('openapi-problems');

test('every status has one response, and every example has that status', () => {
  const components = problemComponents() as Record<
    string,
    { content: Record<string, { examples?: object }> }
  >;
  for (const [status, reference] of Object.entries(problemResponses())) {
    const name = String(reference['$ref']).split('/').at(-1) ?? '';
    const examples = components[name]?.content['application/problem+json']?.examples ?? {};
    for (const [code, { value }] of Object.entries(examples) as [
      keyof typeof problems,
      { value: { status: number } },
    ][]) {
      assert.is(String(value.status), status, code);
      assert.is(value.status, problems[code].status);
    }
  }
});

test('problems that reveal internals are not listed', () => {
  const text = JSON.stringify(problemComponents());
  for (const code of ['invalid-setup', 'unit-closed', 'invalid-event', 'reserved-stream', 'client-gone'])
    assert.not.match(text, code);
});

test('an answer with Retry-After declares the header', () => {
  const text = (name: string) => JSON.stringify(problemComponents()[name]);
  assert.match(text('Unavailable'), 'Retry-After');
  assert.not.match(text('BadRequest'), 'Retry-After');
});

test('what a host answers when it limits callers or cannot check them is declared', () => {
  const text = (name: string) => JSON.stringify(problemComponents()[name]);
  assert.match(text('Unavailable'), 'keys-unavailable');
  for (const header of ['RateLimit-Policy', 'RateLimit'])
    assert.match(text('RateLimited'), `"${header}":{"$ref":"#/components/headers/${header}"}`);
  assert.not.match(text('Unavailable'), 'RateLimit');
});

const sentFor = (refused: () => unknown): unknown => {
  try {
    refused();
  } catch (error) {
    return JSON.parse(problemBody(problemOf(error), '/orders', 'story-7'));
  }
  return undefined;
};

test('refusals are answered as the document declares', async () => {
  const columns = [{ name: 'total', type: 'numeric' }] as const;
  const queries = [
    'pageSize=0',
    'filter[a/b]=1&sort=x',
    'filter[total]=much',
    'a&'.repeat(5_000),
    `${'~'.repeat(5_000)}=`,
  ];
  const bodies = [
    { a: 'x' },
    { 'a/b~': 'x' },
    { ['k'.repeat(5_000)]: 'x' },
    Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, 'x'])),
    7,
  ];
  const values = [
    ...queries.map((search) => sentFor(() => parseQuery(search, columns))),
    ...bodies.map((body) =>
      sentFor(() => decodeBody((value, path, faults) => map(value, path, faults, int), body)),
    ),
  ];
  const wrong = { ...(values[0] as object), errors: [{ path: 'pageSize', message: 'must be a number' }] };
  const { accepted } = await askOracle({
    definitions: {},
    cases: [{ schema: problemSchema, values: [...values, wrong] }],
  });
  assert.equal(accepted, [[...values.map(() => true), false]]);
});
