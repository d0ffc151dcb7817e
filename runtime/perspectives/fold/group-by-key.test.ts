import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../../contracts/event-store.js';
import { Event } from '../../../contracts/message.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { suite } from '../../../contracts/testing/suite.js';
import { groupByKey, isKeyless } from './group-by-key.js';
import { perspectiveTable } from '../tables/perspective-table.js';
import { InMemoryLog } from '../../testing/in-memory-perspective-store.js';

const test = suite('group by key');

class Counted extends Event {}

const rules = (over: object = {}) => {
  const perspective = {
    name: 'counter',
    events: [Counted],
    initial: () => ({}),
    apply: (model: unknown) => model,
    ...over,
  } as unknown as AnyPerspective;
  return { perspective, table: perspectiveTable(perspective) };
};

const log = new InMemoryLog();
for (const [stream, payload] of [
  ['a', 'x'],
  ['b', 'y'],
  ['a', 'y'],
] as const)
  log.append(stream, 'Counted', payload, log.entries.length, 'store');

const positions = ({ byKey }: ReturnType<typeof groupByKey>) =>
  [...byKey].map(([key, group]) => [key, ...group.map(({ event }) => event.globalPosition)]);

test('without a key function a row holds one stream', () => {
  assert.equal(positions(groupByKey(rules(), log.entries)), [
    ['a', 1, 3],
    ['b', 2],
  ]);
});

test('with a key function a row holds all events with that key', () => {
  const key = ({ payload }: StoredEvent) => payload;
  assert.equal(positions(groupByKey(rules({ key, late: 'apply' }), log.entries)), [
    ['x', 1],
    ['y', 2, 3],
  ]);
});

test('an event that has several keys is in the row of each, and one without any in none', () => {
  const rowsOf: Readonly<Record<string, readonly string[]>> = { x: ['p', 'q'], y: ['q'] };
  const key = ({ payload }: StoredEvent) => rowsOf[String(payload)];
  assert.equal(positions(groupByKey(rules({ key, late: 'apply' }), log.entries)), [
    ['p', 1],
    ['q', 1, 2, 3],
  ]);
  const grouped = groupByKey(rules({ key: () => [], late: 'apply' }), log.entries);
  assert.equal([grouped.byKey.size, grouped.keyless.size], [0, 0]);
});

test('an event whose key function fails is parked under its own id', () => {
  const tooMany = Array.from({ length: 1_001 }, (_, index) => `row ${index}`);
  for (const key of [
    () => '',
    () => 'x'.repeat(1_001),
    () => '€'.repeat(334),
    () => 5,
    () => '?event:1',
    () => '\0',
    () => ['x', ''],
    () => ['x', 5],
    () => Object.assign([], { 1: 'x' }),
    () => ['x', 'y', 'x'],
    () => tooMany,
  ]) {
    const { byKey, keyless } = groupByKey(rules({ key, late: 'apply' }), log.entries.slice(0, 1));
    assert.is(byKey.size, 0);
    assert.equal([...keyless.keys()].map(isKeyless), [true]);
  }
});
