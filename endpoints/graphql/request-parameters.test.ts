import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { parametersOfBody, parametersOfUrl } from './request-parameters.js';

const test = suite('GraphQL parameters');

const none = { operationName: undefined, variables: undefined };

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return `${error.status} ${error.code}: ${error.message}`;
  }
  return 'accepted';
}

test('a body needs only a query, and null counts as absent', () => {
  assert.equal(parametersOfBody({ query: '{ a }' }), { query: '{ a }', ...none });
  const nothing = { operationName: null, variables: null, extensions: null };
  assert.equal(parametersOfBody({ query: '{ a }', ...nothing }), { query: '{ a }', ...none });
});

const refused: readonly (readonly [unknown, string])[] = [
  [null, 'The body must be an object with a query.'],
  ['{ a }', 'The body must be an object with a query.'],
  [[{ query: '{ a }' }], 'Send one request at a time: batches are not supported.'],
  [{}, 'query must be a string.'],
  [{ query: 1 }, 'query must be a string.'],
  [{ query: '{ a }', operationName: 1 }, 'operationName must be a string.'],
  [{ query: '{ a }', variables: [] }, 'variables must be an object.'],
  [{ query: '{ a }', extensions: 'x' }, 'extensions must be an object.'],
];

for (const [body, detail] of refused) {
  test(`${JSON.stringify(body)} is not a request`, () => {
    assert.is(
      refusalOf(() => parametersOfBody(body)),
      `400 malformed-request: ${detail}`,
    );
  });
}

test('an empty body is not JSON', () => {
  assert.is(
    refusalOf(() => parametersOfBody(undefined)),
    '400 malformed-json: The body is empty.',
  );
});

test('in a URL, variables are JSON', () => {
  const { variables } = parametersOfUrl({ query: '{ a }', variables: '{"b":1}' });
  assert.equal(variables, { b: 1 });
});

test('in a URL, an empty parameter counts as absent', () => {
  const empty = { operationName: '', variables: '', extensions: '' };
  assert.equal(parametersOfUrl({ query: '{ a }', ...empty }), { query: '{ a }', ...none });
});

for (const variables of ['{', '[1]', '{"__proto__":1}', ['{}', '{}']]) {
  test(`?variables=${String(variables)} is not a request`, () => {
    assert.match(
      refusalOf(() => parametersOfUrl({ query: '{ a }', variables })),
      /^400 malformed-request/,
    );
  });
}
