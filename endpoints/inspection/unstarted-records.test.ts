import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { UnstartedRecords, type UnstartedRequest } from './unstarted-records.js';

const test = suite('records of requests without a lifecycle');

const asked = (correlationId: string, problem?: Problem): UnstartedRequest => ({
  correlation: {
    messageId: newUuid(),
    correlationId,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
  command: 'BakeBread',
  transport: 'rest',
  status: problem?.status ?? 200,
  ...(problem && { problem }),
});

const invalid = new Problem('invalid-command', {
  detail: 'sesame',
  errors: [{ path: '/who', message: 'must be a text' }],
});

const listOf = (records: UnstartedRecords) => [...records.records()].map((one) => one.record());

test('a rejected and a replayed request are recorded without states, newest first', () => {
  const records = new UnstartedRecords(8, false);
  records.add(asked('monday', invalid));
  records.add(asked('tuesday'));
  assert.equal(
    listOf(records).map(({ correlationId, outcome, status, error, states, traceId }) => [
      ...[correlationId, outcome, status, error?.code, states.length, traceId],
    ]),
    [
      ['tuesday', 'replayed', 200, undefined, 0, '0af7651916cd43dd8448eb211c80319c'],
      ['monday', 'rejected', 422, 'invalid-command', 0, '0af7651916cd43dd8448eb211c80319c'],
    ],
  );
});

test('every one is counted, also those that are no longer kept', () => {
  const records = new UnstartedRecords(4, false);
  for (let n = 0; n < 537; n++) records.add(asked('monday', invalid));
  assert.equal(records.counts, { rejected: 537, replayed: 0, crashed: 0 });
  assert.is(listOf(records).length, 4);
});

test('a flood is counted, and leaves the records of others', () => {
  const records = new UnstartedRecords(512, false);
  records.add(asked('monday', invalid));
  for (let n = 0; n < 5_000; n++) records.add(asked('flood', new Problem('overloaded')));
  assert.is(records.counts.rejected, 5_001);
  assert.ok(listOf(records).some(({ correlationId }) => correlationId === 'monday'));
});

test('an error of the service is a failure, a host without time rejects', () => {
  const records = new UnstartedRecords(8, false);
  records.add(asked('read', new Problem('store-unavailable')));
  records.add(asked('late', new Problem('overloaded')));
  assert.equal(records.counts, { rejected: 1, replayed: 0, crashed: 1 });
  assert.equal(
    listOf(records).map(({ outcome }) => outcome),
    ['rejected', 'failed'],
  );
});

test('only developers see the texts of an error', () => {
  const [kept, shown] = [false, true].map((withTexts) => {
    const records = new UnstartedRecords(8, withTexts);
    records.add(asked('monday', invalid));
    return listOf(records)[0];
  });
  assert.not.match(JSON.stringify(kept), 'sesame');
  assert.is(shown?.error?.message, 'sesame\n/who: must be a text');
});
