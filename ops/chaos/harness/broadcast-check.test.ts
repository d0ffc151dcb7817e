import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { checkBroadcast, type HeldRecord } from './broadcast-check.js';

const test = suite('broadcast check');

const record = (position: number, more: Partial<HeldRecord> = {}): HeldRecord => ({
  store: 'north',
  position,
  eventId: `e${position}`,
  hash: `h${position}`,
  ...more,
});

const sent = [record(1), record(2), record(3), record(1, { store: 'south' })];
const clean = { notReceived: 0, receivedTwice: 0, strange: 0, disordered: 0 };

test('all records, each store in its own order, are clean', () => {
  assert.equal(checkBroadcast(sent, [record(1), record(1, { store: 'south' }), record(2), record(3)]), clean);
});

test('missing, doubled, forged and out-of-order records are counted', () => {
  assert.equal(checkBroadcast(sent, sent.slice(1)), { ...clean, notReceived: 1 });
  assert.equal(checkBroadcast(sent, [...sent, record(3)]), { ...clean, receivedTwice: 1 });
  const forged = [...sent.slice(0, 2), record(3, { hash: 'x' }), ...sent.slice(3)];
  assert.equal(checkBroadcast(sent, forged), { ...clean, notReceived: 1, strange: 1 });
  const swapped = [record(2), record(1), record(3), record(1, { store: 'south' })];
  assert.equal(checkBroadcast(sent, swapped), { ...clean, disordered: 1 });
});
