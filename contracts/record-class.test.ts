import * as assert from 'uvu/assert';
import { setOf } from './composite-fields.js';
import { generatedId, int, nullable, optional, text, withDefault } from './fields.js';
import { Event, SystemEvent } from './message.js';
import { faultsOf, record } from './record-class.js';
import { isUuid, type Int, type Uuid } from './scalars.js';
import { suite } from './testing/suite.js';

const test = suite('record');

class DiskFilled extends record(SystemEvent, {
  id: generatedId,
  disk: text,
  percent: int,
  owner: optional(text),
  parent: nullable(text),
  unit: withDefault(text, 'GiB'),
  tags: setOf(text),
}) {
  get summary(): string {
    return `${this.disk} at ${this.percent} %`;
  }
}

class DiskReplaced extends record(Event, { disk: text }) {}

const filled = (): DiskFilled => new DiskFilled({ tags: new Set(['ssd']), percent: 99, disk: '/data' });

const unchecked = (init: object): DiskFilled => Reflect.construct(DiskFilled, [init]);

type Same<A, B> =
  (<T>(it: T) => T extends A ? 1 : 2) extends <T>(it: T) => T extends B ? 1 : 2 ? true : false;

test('a record is an instance of its class and of its marker', () => {
  assert.instance(filled(), DiskFilled);
  assert.instance(filled(), SystemEvent);
  assert.is(filled().constructor.name, 'DiskFilled');
  const replaced = new DiskReplaced({ disk: '/data' });
  assert.instance(replaced, Event);
  assert.not.instance(replaced, SystemEvent);
});

test('a record keeps its fields in the order of their declaration and leaves absent ones out', () => {
  const { id, ...rest } = filled();
  assert.ok(isUuid(id));
  assert.is(JSON.stringify(rest), '{"disk":"/data","percent":99,"parent":null,"unit":"GiB","tags":["ssd"]}');
  assert.equal(Object.keys(filled()).at(0), 'id');
});

test('a given value wins over its default', () => {
  const id = '00000000-0000-7000-8000-000000000001';
  const disk = new DiskFilled({ id, disk: '/data', percent: 1, tags: [], unit: 'TiB', parent: '/dev' });
  assert.equal([disk.id, disk.unit, disk.parent], [id, 'TiB', '/dev']);
});

test('every record gets an id of its own', () => {
  assert.is.not(filled().id, filled().id);
});

test('a record has its fields, and its class may add members', () => {
  assert.equal(Object.keys(DiskFilled.fields), ['id', 'disk', 'percent', 'owner', 'parent', 'unit', 'tags']);
  assert.is(filled().summary, '/data at 99 %');
});

test('the types of the init object and of the instance are derived from the fields', () => {
  type Init = {
    readonly id?: Uuid | undefined;
    readonly disk: string;
    readonly percent: Int;
    readonly owner?: string | undefined;
    readonly parent?: string | null | undefined;
    readonly unit?: string | undefined;
    readonly tags: readonly string[] | ReadonlySet<string>;
  };
  type Instance = {
    readonly id: Uuid;
    readonly disk: string;
    readonly percent: Int;
    readonly owner?: string;
    readonly parent: string | null;
    readonly unit: string;
    readonly tags: readonly string[];
    readonly summary: string;
  };
  const init: Same<ConstructorParameters<typeof DiskFilled>, [init: Init]> = true;
  const instance: Same<Pick<DiskFilled, keyof Instance>, Instance> = true;
  assert.ok(init && instance);
});

test('a valid record has no faults, however deep its class hierarchy', () => {
  class RootDiskFilled extends DiskFilled {}
  assert.equal(faultsOf(filled()), []);
  assert.equal(faultsOf(new RootDiskFilled(filled())), []);
});

test('faultsOf reports every missing and every invalid field', () => {
  assert.equal(faultsOf(unchecked({ id: 7, percent: '99', owner: 1, tags: ['a', 2] })), [
    { path: '/id', message: 'must be a UUID' },
    { path: '/disk', message: 'is required' },
    { path: '/percent', message: 'must be a 32-bit integer' },
    { path: '/owner', message: 'must be a string' },
    { path: '/tags/1', message: 'must be a string' },
  ]);
});

test('a message that is not a record has no fields to check', () => {
  class OrderCreated extends Event {
    static readonly fields = { orderId: text };
    orderId!: string;
  }
  assert.equal(faultsOf(new OrderCreated()), []);
});
