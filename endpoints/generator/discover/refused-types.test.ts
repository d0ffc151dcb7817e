import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { command, diagnose, mistakesOf } from '../testing/diagnose.js';

const test = suite('refused types');
const mistake = mistakesOf(test);

mistake(
  'text after @minimum',
  'SVC1020',
  command('Ping', `{ restRoute: '/x' }`, '/** @minimum many */ n!: Int;'),
  /@minimum must be followed by a number/,
);
mistake(
  'a pattern that may take exponential time',
  'SVC1020',
  command('Ping', `{ restRoute: '/x' }`, '/** @pattern ^(?:[a-z]+)*$ */ name!: string;'),
  /@pattern .* repeats .* add a delimiter/,
);
for (const [tag, says] of [
  ['@max 10', /@max is not a known tag.* did you mean @maximum\?/],
  ['@maxlength 10', /did you mean @maxLength\?/],
  ['@positive', /@positive is not a known tag.* use @minimum, @maximum/],
] as const)
  mistake(
    `an unknown tag: ${tag}`,
    'SVC1020',
    command('Ping', `{ restRoute: '/x' }`, `/** ${tag} */ n!: Int;`),
    says,
  );

for (const [field, says] of [
  ['/** @format slug */ name!: string;', /@format 'slug' is unknown; use one of date, .*uuid, or @pattern/],
  ['/** @format email */ n!: Int;', /@format does not apply to 'Ping\.n'; it is for strings/],
  ['/** @maxDigits 3 */ n!: Int;', /@maxDigits does not apply to 'Ping\.n'; it is for Decimals/],
  ['/** @maxDigits 0 */ price!: Decimal;', /@maxDigits must be from 1 to 1000, not 0/],
  ['/** @maxDigits 1001 */ price!: Decimal;', /@maxDigits must be from 1 to 1000, not 1001/],
  ['/** @minLength 3 */ n!: Int;', /@minLength does not apply to 'Ping\.n'; it is for strings/],
  ['/** @maximum 3 */ id!: Uuid;', /@maximum does not apply to 'Ping\.id'; it is for numbers/],
  ['/** @minItems 1 */ names!: Record<string, string>;', /@minItems does not apply to .*; it is for arrays/],
] as const) {
  mistake(
    `a limit that does not fit: ${field}`,
    'SVC1020',
    command('Ping', `{ restRoute: '/x' }`, field),
    says,
  );
}

mistake(
  'a default that is not a literal',
  'SVC1019',
  command('Ping', `{ restRoute: '/x' }`, 'at: string = String(1);'),
  /default of 'Ping\.at' must be a literal/,
);
for (const [type, advice] of [
  ['Date', /use Timestamp/],
  ['bigint', /use Long or Decimal/],
  ['any', /says nothing about the value/],
  ['unknown', /says nothing about the value/],
  ['() => void', /is a function/],
  ['Map<string, string>', /use Record/],
  ['Set<string>', /use an array/],
  ['[string, string]', /is a tuple/],
  ['string | number', /union without a discriminator/],
  ['1 | 2', /is a union of numbers; use Int/],
] as const) {
  mistake(
    `a field of type ${type}`,
    'SVC1015',
    command('Ping', `{ restRoute: '/x' }`, `when!: ${type};`),
    advice,
  );
}

mistake(
  'an enum of numbers',
  'SVC1015',
  command('Ping', `{ restRoute: '/x' }`, 'color!: Color;', 'export enum Color { Red, Blue }'),
  /'Ping\.color' is an enum of numbers.* Red = 'red'/,
);

mistake(
  'a type that requires itself',
  'SVC1022',
  command('Ping', `{ restRoute: '/x' }`, 'loop!: Loop;', 'export interface Loop { next: Loop }'),
  /Loop → Loop/,
);
mistake(
  'a type that grows forever',
  'SVC1022',
  command(
    'Ping',
    `{ restRoute: '/x' }`,
    'box!: Box<string>;',
    'export interface Box<T> { inner?: Box<Box<T>> }',
  ),
  /is infinitely deep/,
);

for (const [name, field, says] of [
  ['a private member', `private note = '';`, /'Ping\.note' is not public, .* #note$/],
  ['a protected member', 'protected note?: string;', /'Ping\.note' is not public/],
  ['a refused member, whatever its limits', '/** @minimum 1 */ at!: Date;', /use Timestamp/],
  [
    'a member called __proto__',
    '__proto__!: string;',
    /'Ping\.__proto__' has a name that is not allowed in a body/,
  ],
  ['members beside an index signature', 'at!: { [x: string]: Int; y: Int };', /'Ping\.at' has an index/],
  ['an index by numbers', 'at!: { [x: number]: Int };', /'Ping\.at' has an index/],
] as const) {
  mistake(name, 'SVC1015', command('Ping', `{ restRoute: '/ping' }`, field), says);
}

test('SVC1016: one type name in two files names both', async () => {
  const other = command(
    'Pong',
    `{ restRoute: '/pong' }`,
    'part!: Part;',
    'export interface Part { b: string }',
  );
  const lines = await diagnose({
    'a.ts': command('Ping', `{ restRoute: '/x' }`, 'part!: Part;', 'export interface Part { a: string }'),
    'b.ts': other,
  });
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', /SVC1016: the type name 'Part' is used twice, at a\.ts\(\d+,\d+\) and b\.ts/);
});
