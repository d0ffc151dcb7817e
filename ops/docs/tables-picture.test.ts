import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type TableGroup, tablesPicture } from './tables-picture.js';

const test = suite('the picture of the tables');

const groups: readonly TableGroup[] = [
  { title: 'log.sql', tables: ['events', 'records'].map((name) => ({ name, key: ['position'] })) },
  { title: 'outbox.sql', tables: [{ name: 'failures', key: ['position'] }] },
  { title: 'roles.sql', tables: [{ name: 'roles', key: ['tenant', 'role'] }] },
  { title: 'inbox.sql', tables: [{ name: 'received', key: [] }] },
];

const picture = tablesPicture(groups, {
  arrows: [
    ['failures', 'events'],
    ['received', 'events'],
    ['received', 'elsewhere'],
  ],
  isAccented: (name) => name === 'events',
});

const numbersIn = (pattern: RegExp) =>
  Array.from(picture.matchAll(pattern), ([, ...found]) => found.map(Number));
const boxes = numbersIn(/<g[^>]*><rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g);

test('each table has a box of its own, with its key', () => {
  const names = Array.from(picture.matchAll(/font-weight="600">(\w+)</g), ([, name]) => name);
  assert.equal(names, ['events', 'records', 'failures', 'received', 'roles']);
  assert.match(picture, />tenant, role</);
  assert.is(picture.match(/class="accent"/g)?.length, 1);
});

test('no box covers another', () => {
  assert.is(boxes.length, 5);
  for (const [at, [x = 0, y = 0, width = 0, height = 0]] of boxes.entries())
    for (const [otherX = 0, otherY = 0] of boxes.slice(at + 1))
      assert.ok(Math.abs(otherX - x) >= width || Math.abs(otherY - y) >= height);
});

test('each arrow leads from the side of one table to the side of the other', () => {
  const lines = numbersIn(/ d="M([\d.]+),([\d.]+) H.* V.* H([\d.]+)"/g);
  const sides = boxes.flatMap(([x = 0, , width = 0]) => [x, x + width]);
  assert.is(lines.length, 2);
  for (const [from = 0, , to = 0] of lines) assert.ok(sides.includes(from) && sides.includes(to));
  assert.is(picture.match(/<path d="M[^H]*"\/>/g)?.length, 2, 'heads');
});
