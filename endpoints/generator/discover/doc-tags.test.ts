import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withSources } from '../../testing/source-tree.js';
import { Compiler } from '../compiler.js';
import { Diagnostics } from '../diagnostics.js';
import type { PropertyModel } from '../model/service-model.js';
import { discover } from './discover-service.js';

const test = suite('doc tags');

const source = `
import { Event, type Int, type Uuid } from 'svc-runtime';
export interface Card { /** @sensitive */ pin: string; name: string; /** @minimum 1 @maximum 5 */ stars: Int }
export interface Note { text: string; /** @sensitive */
  author: string }
export interface Lines {
  /** @sensitive */
  above: string;
  /** @sensitive */ beside: string;
}
export class Paid extends Event {
  id!: Uuid;
  card!: Card;
  cards?: { /** The number.
    * @sensitive */ number: string }[];
  part?: Partial<Card>;
  note?: Note;
  lines?: Lines;
}
`;

const types = await withSources(
  { 'a.ts': source },
  (dir) => discover(new Compiler(dir).read(), new Diagnostics()).types,
);

const properties = (owner: string): readonly PropertyModel[] => {
  const type = types.get(owner)?.type;
  return type?.kind === 'object' ? type.properties : [];
};

const sensitive = (owner: string): readonly string[] =>
  properties(owner).flatMap((property) => (property.sensitive ? [property.name] : []));

test('a tag above a member or before it on its line belongs to the member', () => {
  assert.equal(sensitive('Lines'), ['above', 'beside']);
});

test('a tag inside a type on one line belongs to its member', () => {
  assert.equal(sensitive('Card'), ['pin']);
  assert.equal(sensitive('PaidCardsItem'), ['number']);
  assert.equal(sensitive('PartialCard'), ['pin']);
});

test('limits are read there too', () => {
  const stars = properties('Card').find(({ name }) => name === 'stars');
  assert.equal(stars?.type, { kind: 'int', limits: { minimum: 1, maximum: 5 } });
});

test('a comment at the end of a line does not belong to the next line', () => {
  assert.is(properties('Note').length, 2);
  assert.equal(sensitive('Note'), []);
});
