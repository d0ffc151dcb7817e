import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import { matchesFilter, listedRecord, receivedRecordOf } from './received-record.js';

const test = suite('received record');

const data = '{"commandType":"CreateOrder","correlationId":"monday","tenantId":"acme"}';
const metadata = '{"scope":{"userId":"ada"}}';
const row = [
  '12',
  'e-1',
  'CommandAudited',
  '2026-01-01T00:00:00.000000Z',
  'north',
  'ab',
  null,
  data,
  metadata,
  '7',
  's-1',
];

test('it has a number in order of arrival, and its position in the stream of its store', () => {
  const record = receivedRecordOf(row);
  assert.equal([record.id, record.position, record.store, record.host], [12, 7, 's-1', 'north']);
  assert.is(listedRecord(record).position, 12);
});

test('its line starts with its host, its JSON with its store', () => {
  const { line, json } = receivedRecordOf(row);
  assert.is(
    line,
    'north  7  2026-01-01T00:00:00.000000Z  CommandAudited  CreateOrder  by ada @ acme  [monday]',
  );
  assert.match(json, /^\{"store":"s-1","position":7,/);
  assert.is((JSON.parse(json) as { data: { tenantId: string } }).data.tenantId, 'acme');
});

test('it must match every filter', () => {
  const record = receivedRecordOf(row);
  const all = { type: 'CommandAudited', user: 'ada', tenant: 'acme', correlation: 'monday' };
  assert.ok(matchesFilter(record, {}) && matchesFilter(record, all));
  for (const name of Object.keys(all))
    assert.not.ok(matchesFilter(record, { ...all, [name]: 'other' }), name);
});

test('names of a sender cannot break out of their line', () => {
  const { line } = receivedRecordOf(row.with(4, 'no\u001b[2Jrth\n').with(2, 'Odd\nType'));
  assert.not.match(line, /\p{Cc}/u);
});

test('data that is not an object is not shown', () => {
  for (const odd of ['"text"', 'null', '7', '[]']) {
    const record = receivedRecordOf(row.with(7, odd).with(8, 'null'));
    assert.is(listedRecord(record).user, undefined);
  }
});
