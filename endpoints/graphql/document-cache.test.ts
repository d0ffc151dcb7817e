import { buildSchema } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { documents } from './document-cache.js';

const test = suite('GraphQL documents');

const schema = buildSchema('type Query { service: String! }');

function inMode(mode: 'development' | 'production') {
  const prepared: unknown[] = [];
  const known = documents(schema, mode === 'development', (document) => prepared.push(document));
  const messagesOf = (text: string) => {
    const checked = known.get(text);
    return 'errors' in checked ? checked.errors.map(({ message }) => message) : [];
  };
  return { known, prepared, messagesOf };
}

test('a document is parsed, validated and prepared once', () => {
  const { known, prepared } = inMode('production');
  const first = known.get('{ service }');
  assert.is(known.get('{ service }'), first);
  assert.is(prepared.length, 1);
});

test('at most a thousand documents are kept', () => {
  const { known } = inMode('production');
  for (let n = 0; n < 1_100; n++) known.get(`query Q${n} { service }`);
  assert.is(known.size, 1_000);
});

test('invalid documents are not kept', () => {
  const { known, messagesOf } = inMode('production');
  assert.is(messagesOf('{').length, 1);
  assert.is(messagesOf('{ nothing }').length, 1);
  assert.is(known.size, 0);
});

test('a document may have 16,384 characters', () => {
  const { messagesOf } = inMode('production');
  assert.equal(messagesOf('{ service }'.padEnd(16_384)), []);
  assert.equal(messagesOf('{ service }'.padEnd(16_385)), ['The document has more than 16384 characters.']);
});

test('a document may have a thousand tokens', () => {
  const { messagesOf } = inMode('production');
  const operations = Array.from({ length: 200 }, (_, index) => `query Q${index} { service }`).join(' ');
  assert.equal(messagesOf(operations), []);
  assert.match(messagesOf(`${operations} { service }`)[0] ?? '', /1000 tokens/);
});

test('limits are checked before the schema', () => {
  const { messagesOf } = inMode('production');
  const deep = '{ a '.repeat(13) + '}'.repeat(13);
  assert.equal(messagesOf(deep), ['The document is deeper than 12 fields.']);
});

test('of many errors in a document some are reported', () => {
  const { messagesOf } = inMode('production');
  const wrong = Array.from({ length: 500 }, (_, index) => `wrong${index}`).join(' ');
  assert.is(messagesOf(`{ ${wrong} }`).length, 21);
});

test('introspection and suggestions are for development', () => {
  const development = inMode('development');
  const production = inMode('production');
  assert.equal(development.messagesOf('{ __schema { types { name } } }'), []);
  assert.match(production.messagesOf('{ __schema { types { name } } }')[0] ?? '', /introspection/);
  assert.match(production.messagesOf('{ __type(name: "Query") { name } }')[0] ?? '', /introspection/);
  assert.match(development.messagesOf('{ servise }')[0] ?? '', 'Did you mean "service"?');
  assert.not.match(production.messagesOf('{ servise }')[0] ?? '', 'Did you mean');
  assert.equal(production.messagesOf('{ __typename }'), []);
});
