import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withSources } from '../../testing/source-tree.js';
import { changesOf, shapesIn } from './event-shapes.js';
import { Generator } from '../generate.js';
import { good } from '../testing/diagnose.js';

const test = suite('event shapes');

const shape = (fields: Record<string, string>, version = 1) => ({ version, fields });
const created = shape({ orderId: 'Uuid', note: 'string', 'gift?': 'boolean' });

test('an added optional field is not a change', () => {
  assert.equal(changesOf(created, shape({ ...created.fields, 'color?': 'string' })), []);
  assert.equal(changesOf(created, shape({ orderId: 'Uuid', 'note?': 'string', 'gift?': 'boolean' })), []);
});

test('every incompatible change is named', () => {
  const changed = shape({ orderId: 'string', gift: 'boolean', total: 'Decimal' });
  assert.equal(changesOf(created, changed), [
    "'orderId' was Uuid and is string",
    "'note' was removed",
    "'gift' was optional",
    "'total' is new and not optional",
  ]);
});

test('a new version may have any shape; a version may not decrease', () => {
  assert.equal(changesOf(created, shape({ total: 'Decimal' }, 2)), []);
  assert.equal(changesOf(shape({}, 2), shape({}, 1)), ['its version was 2']);
});

test('a file with other content does not count as a record', () => {
  for (const text of ['', '{', 'null', '[1]', '{"A":{}}', '{"A":null}']) assert.equal(shapesIn(text), {});
});

const events = (fields: string, more = '') => `
import { Event, type Decimal, type Int, type Uuid } from 'svc-runtime';
export interface Item { sku: string; parts?: Item[] }
export class Shipped extends Event { ${fields} }
${more}`;
const before = events('id!: Uuid; items!: Item[];');

const generated = (source: string, recorded: string | undefined) =>
  withSources(
    { 'ping.ts': good, 'events.ts': source, ...(recorded && { 'generated/events.json': recorded }) },
    (dir) => new Generator(dir, { title: 'x', version: '1' }).run(),
  );
const record = async (source: string): Promise<string> => {
  const result = await generated(source, undefined);
  assert.ok(result.ok, JSON.stringify(result));
  return result.files.find(({ path }) => path === 'generated/events.json')?.text ?? '';
};

test('the shape of every event is recorded beside the generated files', async () => {
  assert.equal(JSON.parse(await record(before)), {
    Shipped: { version: 1, fields: { id: 'Uuid', items: 'Item[]' } },
  });
});

test('an event that changed without a new version is refused at its declaration', async () => {
  const result = await generated(events('id!: Uuid; items!: Item[]; total!: Decimal;'), await record(before));
  assert.not(result.ok);
  const [diagnostic, ...others] = result.ok ? [] : result.diagnostics;
  assert.equal(others, []);
  assert.is(diagnostic?.code, 'SVC1032');
  assert.is(diagnostic?.line, 4);
  assert.match(
    diagnostic?.message ?? '',
    /Shipped changed without a new version \('total' is new and not optional\).*static version = 2.*--accept-events/,
  );
});

test('with a new version it is recorded again', async () => {
  const next = events('static readonly version = 2; id!: Uuid;');
  const result = await generated(next, await record(before));
  assert.ok(result.ok, JSON.stringify(result));
  assert.is((JSON.parse(await record(next)) as { Shipped: { version: number } }).Shipped.version, 2);
});

test('a renamed type, and a new or removed event, do not change a shape', async () => {
  const inline = events('id!: Uuid; at!: Place;', 'export interface Place { city: string }');
  const renamed = events('id!: Uuid; at!: Spot;', 'export interface Spot { city: string }');
  const another = `${renamed} export class Packed extends Event { id!: Uuid; }`;
  assert.ok((await generated(another, await record(inline))).ok);
  assert.ok((await generated(renamed, await record(another))).ok);
});
