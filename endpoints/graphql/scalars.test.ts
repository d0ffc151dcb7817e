import { buildSchema, type GraphQLScalarType, parseValue } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { implementScalar } from './scalars.js';

const test = suite('GraphQL scalars');

function scalar(name: string): GraphQLScalarType {
  const type = buildSchema(`scalar ${name}`).getType(name) as GraphQLScalarType;
  implementScalar(type);
  return type;
}

const literal = (name: string, text: string): unknown => scalar(name).parseLiteral(parseValue(text), {});

test('a decimal keeps its digits as written', () => {
  assert.equal(
    ['9.90', '100000000000000000000.01', '-3', '"1.10"'].map((text) => literal('Decimal', text)),
    ['9.90', '100000000000000000000.01', '-3', '1.10'],
  );
});

test('a decimal may be a number too', () => {
  assert.is(scalar('Decimal').parseValue(9.5), 9.5);
  assert.is(scalar('Decimal').parseValue('9.50'), '9.50');
  assert.throws(() => scalar('Decimal').parseValue(true), /Decimal must be a decimal number/);
});

for (const name of ['Uuid', 'Timestamp', 'Duration']) {
  test(`a ${name} is text`, () => {
    assert.is(literal(name, '"x"'), 'x');
    assert.is(scalar(name).parseValue('x'), 'x');
    assert.is(scalar(name).serialize('x'), 'x');
    assert.throws(() => literal(name, '1'), `${name} must be text.`);
    assert.throws(() => scalar(name).parseValue(1), `${name} must be text.`);
  });
}

test('a Long is an integer', () => {
  assert.is(literal('Long', '9007199254740991'), 9_007_199_254_740_991);
  assert.throws(() => literal('Long', '1.5'), /Long must be an integer/);
  assert.throws(() => scalar('Long').parseValue('1'), /Long must be an integer/);
});

test('JSON may be anything', () => {
  const text = '{ a: [1, 2.5, "x", true, null, { b: c }] }';
  assert.is(JSON.stringify(literal('JSON', text)), '{"a":[1,2.5,"x",true,null,{"b":"c"}]}');
  const value = { a: [null] };
  assert.is(scalar('JSON').parseValue(value), value);
  assert.is(scalar('JSON').serialize(false), false);
});

test('an unknown scalar is left alone', () => {
  assert.is(scalar('Color').parseValue('red'), 'red');
});
