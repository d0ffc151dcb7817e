import * as assert from 'uvu/assert';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { OriginWentBack, StoreWentBack } from './store-went-back.js';

const test = suite('events/store');

const wentBack = {
  id: '0190b5d4-0000-7000-8000-000000000001',
  epoch: 2,
  fork: 200,
  lostTo: 243,
  witness: 'north',
  timestamp: '2026-03-01T09:30:00Z',
};

test('StoreWentBack records between which positions events are lost, and which host had seen them', () => {
  assert.ok(new StoreWentBack(wentBack) instanceof SystemEvent);
  assert.is(JSON.stringify(new StoreWentBack(wentBack)), JSON.stringify(wentBack));
  assert.equal(faultsOf(new StoreWentBack(wentBack)), []);
});

test('OriginWentBack records which store is held, and from where on', () => {
  const { id, timestamp } = wentBack;
  const held = {
    id,
    storeId: '0190b5d4-0000-7000-8000-000000000002',
    epoch: 2,
    fork: 200,
    heldTo: 243,
    timestamp,
  };
  assert.ok(new OriginWentBack(held) instanceof SystemEvent);
  assert.is(JSON.stringify(new OriginWentBack(held)), JSON.stringify(held));
  assert.equal(faultsOf(new OriginWentBack(held)), []);
});
