import * as assert from 'uvu/assert';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { SegmentSealed } from './segment-sealed.js';

const test = suite('events/segment');

const sealed = {
  id: '0190b5d4-0000-7000-8000-000000000001',
  low: 0,
  high: 16_777_216,
  events: 5_592_406,
  records: 11_184_809,
  lastHash: '00ff',
  eventsSha256: '01ff',
  recordsSha256: '02ff',
  timestamp: '2026-03-01T09:30:00Z',
};

test('SegmentSealed records the bounds, the counts and the digests of a segment', () => {
  assert.ok(new SegmentSealed(sealed) instanceof SystemEvent);
  assert.is(JSON.stringify(new SegmentSealed(sealed)), JSON.stringify(sealed));
  assert.equal(faultsOf(new SegmentSealed(sealed)), []);
});
