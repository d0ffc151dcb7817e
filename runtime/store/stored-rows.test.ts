import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Row } from '../database/database.js';
import { eventColumns, storedEventOf, systemColumns } from './stored-rows.js';

const test = suite('stored rows');

test('a row becomes an envelope with its positions', () => {
  assert.equal(storedEventOf(row({})), {
    messageId: 'id',
    messageType: 'OrderShipped',
    payload: { carrier: 'DHL' },
    streamId: 'stream',
    streamPosition: 2,
    globalPosition: 9,
    timestamp: '2026-11-15T02:22:52.123456Z',
    occurredAt: '2026-11-15T02:22:52.123456Z',
    recordedAt: '2026-11-15T02:22:53Z',
    host: 'desk',
    correlationId: 'c',
    v: 1,
  });
});

test('metadata cannot replace what the columns hold, and its salt is not shown', () => {
  const metadata = JSON.stringify({
    ...storedEventOf(row({})),
    payload: 'forged',
    host: 'forged',
    salt: 's',
  });
  assert.equal(storedEventOf(row({ metadata })), storedEventOf(row({})));
  for (const odd of ['null', '5', '[]']) assert.is(storedEventOf(row({ metadata: odd })).host, 'desk');
});

test('the original position is merged into the payload, and replaces what was there', () => {
  const data = '{"originalStreamPosition":0,"id":"a"}';
  assert.equal(storedEventOf(row({ data, original: '7' })).payload, { originalStreamPosition: 7, id: 'a' });
});

test('a time that is not in UTC keeps its offset', () => {
  const at = (recorded: string) => storedEventOf(row({ recorded })).recordedAt;
  assert.is(at('2026-11-15 02:22:53.5+01'), '2026-11-15T02:22:53.5+01:00');
  assert.is(at('2026-11-15 02:22:53-03:30'), '2026-11-15T02:22:53-03:30');
  assert.is(at('2026-11-15 02:22:53+00:30'), '2026-11-15T02:22:53+00:30');
});

test('both tables are read with the same columns', () => {
  assert.is(systemColumns.split(',').length, eventColumns.split(',').length);
});

function row({
  data = '{"carrier":"DHL"}',
  recorded = '2026-11-15 02:22:53+00',
  original = null as string | null,
  metadata = '{"correlationId":"c","v":1}',
}): Row {
  const times = ['2026-11-15 02:22:52.123456+00', recorded];
  return ['9', 'stream', '2', 'id', 'OrderShipped', data, metadata, 'desk', ...times, original];
}
