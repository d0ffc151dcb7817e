import { buildSchema, execute, parse, validate } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { redactValues } from './redact-values.js';

const test = suite('GraphQL errors without values');

const schema = buildSchema(`
  enum Color { RED BLUE }
  input Card { holder: String!, digits: Int, weight: Float, isGold: Boolean, color: Color, id: ID, tags: [Int!] }
  type Query { pay(card: Card, color: Color, amount: Int, note: String): String }
`);

/** The message about a request that fails on parsing, validation or execution. */
function messagesFor(query: string, variableValues: Record<string, unknown> = {}): string[] {
  const document = parse(query);
  const invalid = validate(schema, document);
  if (invalid.length > 0) return invalid.map(redactValues);
  const { errors = [] } = execute({ schema, document, variableValues }) as ReturnType<typeof execute> & {
    errors?: Parameters<typeof redactValues>[0][];
  };
  return errors.map(redactValues);
}

const withCard = 'query ($card: Card) { pay(card: $card) }';

for (const [what, card, message] of [
  [
    'a number that is text',
    { digits: 'sesame' },
    'at "card.digits"; Int cannot represent non-integer value.',
  ],
  ['a list item', { tags: [1, 'sesame'] }, 'at "card.tags[1]"; Int cannot represent non-integer value.'],
  [
    'text that is an object',
    { holder: { sesame: 1 } },
    'at "card.holder"; String cannot represent a non string value.',
  ],
  ['an enum', { color: 'sesame' }, 'at "card.color"; The value does not exist in "Color" enum.'],
  [
    'an enum that is a number',
    { color: 4111 },
    'at "card.color"; Enum "Color" cannot represent non-string value.',
  ],
  ['a fraction', { weight: 'sesame' }, 'at "card.weight"; Float cannot represent non numeric value.'],
  ['a boolean', { isGold: 'sesame' }, 'at "card.isGold"; Boolean cannot represent a non boolean value.'],
  ['a null', { holder: null }, 'at "card.holder"; Expected non-nullable type "String!" not to be null.'],
] as const) {
  test(`a variable that holds ${what} is reported by its path and type`, () => {
    const rest = 'holder' in card ? {} : { holder: 'Ada' };
    assert.equal(messagesFor(withCard, { card: { ...rest, ...card } }), [
      `Variable "$card" got an invalid value ${message}`,
    ]);
  });
}

test('a variable as a whole is reported by its name', () => {
  assert.equal(messagesFor(withCard, { card: 'sesame' }), [
    'Variable "$card" got an invalid value; Expected type "Card" to be an object.',
  ]);
});

test('a value that looks like a path, a reason or a name is not mistaken for one', () => {
  for (const value of [
    'x at "card.sesame"',
    'x; sesame',
    '" at "sesame.sesame',
    'does not exist in "sesame" enum.',
  ]) {
    for (const card of [value, { holder: 'Ada', digits: value }, { holder: 'Ada', color: value }])
      assert.not.match(messagesFor(withCard, { card }).join(), 'sesame', value);
  }
});

for (const [query, message] of [
  ['{ pay(amount: "sesame") }', 'Int cannot represent non-integer value.'],
  ['{ pay(note: 4111) }', 'String cannot represent a non string value.'],
  ['{ pay(color: "sesame") }', 'Enum "Color" cannot represent non-enum value.'],
  ['{ pay(color: SESAME) }', 'The value does not exist in "Color" enum.'],
  ['{ pay(card: "sesame") }', 'Expected value of type "Card".'],
] as const) {
  test(`${query}: the expected type is reported, not the value`, () => {
    assert.equal(messagesFor(query), [message]);
  });
}

test('a syntax error names the kind of the token', () => {
  const saidOfBroken = (query: string): string => {
    try {
      parse(query);
      return '';
    } catch (error) {
      return redactValues(error as Error);
    }
  };
  assert.is(saidOfBroken('{ pay "sesame" }'), 'Syntax Error: Expected Name, found String.');
  assert.is(saidOfBroken('{ pay(note: 4111 4111) }'), 'Syntax Error: Expected Name, found Int.');
  assert.is(saidOfBroken('{ pay '), 'Syntax Error: Expected Name, found <EOF>.');
});

test('a value that is close to a name of the schema gets that name as a suggestion', () => {
  const message =
    'Variable "$card" got an invalid value at "card.color"; The value does not exist in "Color" enum.';
  assert.equal(messagesFor(withCard, { card: { holder: 'Ada', color: 'RAD' } }), [
    `${message} Did you mean the enum value "RED"?`,
  ]);
});

test('a long value costs no more than its length', () => {
  const from = process.cpuUsage();
  for (const value of ['cannot represent ', ' does not exist in "', '; ', ' at "card.a'])
    messagesFor(withCard, { card: { holder: 'Ada', color: value.repeat(60_000) } });
  assert.ok(process.cpuUsage(from).user < 5_000_000);
});

test('names of fields and types are included', () => {
  assert.equal(messagesFor('{ pya }'), ['Cannot query field "pya" on type "Query". Did you mean "pay"?']);
});
