import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { EncodedUnit } from './encode-unit.js';
import { commitOneCall, oneEventParameters, rowOfOne } from './flush-call.js';

const test = suite('parameters of a flush of one event');

const stream = newUuid();
const message = () => ({ id: newUuid(), type: 'Happened', data: '{}', metadata: '{}' });
const event = (occurredAt: number | null = null) => ({ ...message(), streamId: stream, occurredAt });
const record = { ...message(), publish: false, of: 1 };
const unit = (over: Partial<EncodedUnit> = {}): EncodedUnit => ({
  events: [event()],
  records: [],
  expected: new Map(),
  outcome: undefined,
  bytes: 0,
  ...over,
});
const parametersOf = (...units: EncodedUnit[]) => oneEventParameters(newUuid(), 7, 'host', units);

test('the call has a place for every parameter and for the answer', () => {
  assert.is(commitOneCall.match(/\$\d+/g)?.length, parametersOf(unit())?.length);
  assert.is(commitOneCall.match(/NULL/g)?.length, 1);
});

test('what is missing is null', () => {
  assert.equal(parametersOf(unit())?.filter((value) => value === null).length, 7);
  const full = unit({ records: [record], expected: new Map([[stream, 0]]) });
  assert.equal(parametersOf(full)?.indexOf(null), -1);
});

test('a flush with anything more takes the general call', () => {
  const outcome = { key: Buffer.of(1), fingerprint: Buffer.of(2), status: 204, body: null };
  const others = [
    [],
    [unit(), unit()],
    [unit({ events: [] })],
    [unit({ events: [event(), event()] })],
    [unit({ events: [event(1)] })],
    [unit({ records: [record, record] })],
    [unit({ expected: new Map([[newUuid(), 0]]) })],
    [
      unit({
        expected: new Map([
          [stream, 0],
          [newUuid(), 0],
        ]),
      }),
    ],
    [unit({ outcome })],
  ];
  for (const units of others) assert.is(parametersOf(...units), undefined);
});

test('the answer is read as the row of the general call', () => {
  assert.equal(rowOfOne('{1}|{5}|{17}|2026-03-01 09:30:00+00|'), [
    '{1}',
    '{5}',
    '{17}',
    '2026-03-01 09:30:00+00',
  ]);
});
