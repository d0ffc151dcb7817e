import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { StoreKeyRotated } from './store-key-rotated.js';

const test = suite('events/store-key-rotated');

const rotated = {
  id: '0190b5d4-0000-7000-8000-000000000001',
  storeId: '0190b5d4-0000-7000-8000-000000000002',
  previousKey: 'ab'.repeat(32),
  publicKey: 'cd'.repeat(32),
  upTo: 41,
  proof: 'ef'.repeat(128),
  actor: 'ann',
  reason: 'yearly',
  timestamp: '2026-03-01T09:30:00Z',
};

test('StoreKeyRotated records both keys, how far the old one counts, and who decided so', () => {
  const event = new StoreKeyRotated(rotated);
  assert.is(JSON.stringify(event), JSON.stringify(rotated));
  assert.equal(faultsOf(event), []);
  assert.instance(event, SystemEvent);
  assert.is(auditMarkOf(StoreKeyRotated)?.exclude, true);
});
