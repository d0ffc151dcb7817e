import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withSources } from '../../testing/source-tree.js';
import { Compiler } from '../compiler.js';
import { Diagnostics } from '../diagnostics.js';
import type { NamedType, PropertyModel, TypeModel } from '../model/service-model.js';
import { discover } from './discover-service.js';

const test = suite('type reader');

const source = `
import { Command, CommandEndpoint, Event, Sensitive, type Decimal, type Duration, type Int, type Json, type Long, type Receptor, type Timestamp, type Uuid } from 'svc-runtime';

/** How fast. */
export type Priority = 'normal' | 'express' | 'air';
// Mentioned first and in another order, which must not matter.
export const favorite: 'air' | 'express' = 'air';

export enum Color { Red = 'red', Blue = 'blue' }
const usual = 7;

export interface Card {
  method: 'card';
  /** @sensitive */
  number: string;
}
export interface Transfer { method: 'transfer'; iban: string }
export type Payment = Card | Transfer;
export type OrderId = Uuid;

export interface Node { value: Int; children: Node[]; parent?: Node | null }
export interface Page<T> { items: T[] }

export class Base extends Command {
  /** Its origin. */
  origin?: string;
}

export interface Result { id: OrderId; at: Timestamp; took: Duration; page: Page<Int>; anonymous: { deep: boolean }[] }

@CommandEndpoint<Everything, Result>({ restRoute: '/everything' })
export class Everything extends Base {
  id!: OrderId;
  maybe?: Uuid;
  nothing!: string | null;
  both?: Int | null;
  /** @minimum 1 @maximum 9 */
  count!: Int;
  size!: Long;
  /** @minimum 0 @maxDigits 200 */
  price!: Decimal;
  ratio!: number;
  flag!: boolean;
  maybeFlag?: boolean;
  agreed!: true;
  refused?: false | null;
  /** @minLength 2 @maxLength 5 @pattern ^[a-z]+$ @format hostname */
  slug!: string;
  /** @minItems 1 @maxItems 3 */
  tags: string[] = ['a'];
  frozen!: readonly Int[];
  labels!: Record<string, string | null>;
  priority: Priority = 'normal';
  payment!: Payment;
  tree!: Node;
  any!: Json;
  anyOrNone?: Json;
  one!: 'only';
  color: Color = Color.Blue;
  quota: Int = usual;
  @Sensitive() secret!: string;
  #hidden = 1;
  get total(): number { return this.#hidden; }
  helper(): void {}
}

export class Happened extends Event { id!: Uuid }

export class EverythingReceptor implements Receptor<Everything, Result> {
  constructor(readonly clock: Clock, readonly log: { write(line: string): void }) {}
  handle(): Result { throw this.clock; }
}
export class Clock {}
`;

const { types, model, faults } = await withSources({ 'src/everything.ts': source }, (dir) => {
  const diagnostics = new Diagnostics();
  const found = discover(new Compiler(dir).read(), diagnostics);
  return { types: found.types, model: found, faults: diagnostics.all };
});

const named = (name: string): NamedType => {
  const type = types.get(name);
  assert.ok(type, `${name} is a type`);
  return type;
};

const property = (owner: string, name: string): PropertyModel => {
  const { type } = named(owner);
  const found =
    type.kind === 'object' ? type.properties.find((candidate) => candidate.name === name) : undefined;
  assert.ok(found, `${owner}.${name} is a property`);
  return found;
};

const fields: readonly [string, TypeModel][] = [
  ['id', { kind: 'uuid' }],
  ['nothing', { kind: 'nullable', inner: { kind: 'text', limits: {} } }],
  ['both', { kind: 'nullable', inner: { kind: 'int', limits: {} } }],
  ['count', { kind: 'int', limits: { minimum: 1, maximum: 9 } }],
  ['size', { kind: 'long', limits: {} }],
  ['price', { kind: 'decimal', limits: { minimum: 0, maxDigits: 200 } }],
  ['ratio', { kind: 'number', limits: {} }],
  ['flag', { kind: 'boolean' }],
  ['maybeFlag', { kind: 'boolean' }],
  ['agreed', { kind: 'boolean', only: true }],
  ['refused', { kind: 'nullable', inner: { kind: 'boolean', only: false } }],
  ['slug', { kind: 'text', limits: { minLength: 2, maxLength: 5, pattern: '^[a-z]+$', format: 'hostname' } }],
  ['tags', { kind: 'array', item: { kind: 'text', limits: {} }, limits: { minItems: 1, maxItems: 3 } }],
  ['frozen', { kind: 'array', item: { kind: 'int', limits: {} }, limits: {} }],
  ['labels', { kind: 'map', value: { kind: 'nullable', inner: { kind: 'text', limits: {} } } }],
  ['priority', { kind: 'ref', name: 'Priority' }],
  ['payment', { kind: 'ref', name: 'Payment' }],
  ['tree', { kind: 'ref', name: 'Node' }],
  ['anyOrNone', { kind: 'json' }],
  ['any', { kind: 'json' }],
  ['one', { kind: 'ref', name: 'EverythingOne' }],
];

test('the tree has no mistakes', () => {
  assert.equal(faults, []);
});

for (const [name, type] of fields) {
  test(`${name} is read as ${type.kind}`, () => {
    assert.equal(property('Everything', name).type, type);
  });
}

test('required, optional and default are distinguished', () => {
  assert.is(property('Everything', 'id').required, true);
  assert.is(property('Everything', 'maybe').required, false);
  assert.equal(property('Everything', 'maybe').type, { kind: 'uuid' });
  assert.equal(property('Everything', 'tags').default, { value: ['a'] });
  assert.is(property('Everything', 'tags').required, false);
  assert.equal(property('Everything', 'priority').default, { value: 'normal' });
  assert.equal(property('Everything', 'color').default, { value: 'blue' });
  assert.equal(property('Everything', 'quota').default, { value: 7 });
});

test('enum values keep their declared order', () => {
  assert.equal(named('Priority').type, { kind: 'enum', values: ['normal', 'express', 'air'] });
  assert.is(named('Priority').description, 'How fast.');
});

test('a union is discriminated by its common literal', () => {
  assert.equal(named('Payment').type, {
    kind: 'union',
    discriminator: 'method',
    variants: [
      { value: 'card', name: 'Card' },
      { value: 'transfer', name: 'Transfer' },
    ],
  });
});

test('a recursive type refers to itself', () => {
  assert.equal(property('Node', 'children').type, {
    kind: 'array',
    item: { kind: 'ref', name: 'Node' },
    limits: {},
  });
});

test('a generic type is named after its arguments, an anonymous one after its location', () => {
  assert.equal(property('Result', 'page').type, { kind: 'ref', name: 'PageInt' });
  assert.equal(property('Result', 'anonymous').type, {
    kind: 'array',
    item: { kind: 'ref', name: 'ResultAnonymousItem' },
    limits: {},
  });
  assert.is(named('ResultAnonymousItem').declared, undefined);
});

test('sensitive fields are recognized by decorator and by tag', () => {
  assert.is(property('Everything', 'secret').sensitive, true);
  assert.is(property('Card', 'number').sensitive, true);
  assert.is(property('Transfer', 'iban').sensitive, false);
});

test('inherited fields are sent; methods, accessors, private fields and brands are not', () => {
  assert.is(property('Everything', 'origin').description, 'Its origin.');
  const { type } = named('Everything');
  const names = type.kind === 'object' ? type.properties.map(({ name }) => name) : [];
  for (const hidden of ['helper', 'total', '#hidden']) assert.not.ok(names.includes(hidden), hidden);
  assert.not.ok(names.some((name) => name.startsWith('__')));
});

test('a declaration is imported from its file, a class is constructed', () => {
  assert.equal(named('Everything').declared, { name: 'Everything', file: 'src/everything' });
  assert.is(named('Everything').isClass, true);
  assert.is(named('Card').isClass, false);
});

test('commands, events, receptors and their dependencies are found', () => {
  assert.equal(
    model.commands.map(({ name, file, resultName }) => ({ name, file, resultName })),
    [{ name: 'Everything', file: 'src/everything', resultName: 'Result' }],
  );
  assert.equal(
    model.events.map(({ name }) => name),
    ['Happened'],
  );
  assert.equal(model.receptors, [
    {
      name: 'EverythingReceptor',
      file: 'src/everything',
      parameters: ['clock', 'log'],
      command: 'Everything',
    },
  ]);
  assert.equal(model.dependencies, [
    { name: 'clock', type: 'Clock', imports: [{ name: 'Clock', from: { file: 'src/everything' } }] },
    { name: 'log', type: '{ write(line: string): void }', imports: [] },
  ]);
});
