import * as assert from 'uvu/assert';
import { isUuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { commandIdOf, firedCommandIdOf } from './ids.js';
import { namedUuid } from '../lang/named-uuid.js';

const test = suite('ids of commands that nobody sent');

const store = '0f6e7a55-4a7b-7c1e-9f3a-6d2f0f3c8a11';
const event = '0190f3a5-4a7b-7c1e-9f3a-6d2f0f3c8a12';

test('the same cause gives the same id, a UUID of version 8', () => {
  const id = commandIdOf(store, event, 'reserve-stock', 0);
  assert.is(id, commandIdOf(store, event, 'reserve-stock', 0));
  assert.ok(isUuid(id));
  assert.match(id, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test('another store, event, reaction or number gives another id', () => {
  const ids = [
    commandIdOf(store, event, 'reserve-stock', 0),
    commandIdOf(event, event, 'reserve-stock', 0),
    commandIdOf(store, store, 'reserve-stock', 0),
    commandIdOf(store, event, 'reserve', 0),
    commandIdOf(store, event, 'reserve-stock', 1),
    firedCommandIdOf(event, '2026-11-17T02:30:00.000000Z'),
    firedCommandIdOf(event, '2026-11-18T02:30:00.000000Z'),
  ];
  assert.is(new Set(ids).size, ids.length);
});

test('parts do not run into each other', () => {
  assert.is.not(namedUuid('a', 'bc'), namedUuid('ab', 'c'));
});
