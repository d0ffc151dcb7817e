import * as assert from 'uvu/assert';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { EventsImported } from './events-imported.js';

const test = suite('events/events-imported');

const imported = {
  id: '0190b5d4-0000-7000-8000-000000000001',
  count: 10_000,
  from: 7,
  to: 10_006,
  sha256: 'ab'.repeat(32),
  actor: 'ann',
  timestamp: '2026-03-01T09:30:00Z',
};

test('EventsImported records how many events were imported, where they are, their digest, and who did it', () => {
  assert.ok(new EventsImported(imported) instanceof SystemEvent);
  assert.is(JSON.stringify(new EventsImported(imported)), JSON.stringify(imported));
  assert.equal(faultsOf(new EventsImported(imported)), []);
});
