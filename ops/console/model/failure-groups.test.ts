import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { type FailureItem, groupFailures } from './failure-groups.js';

const test = suite('groups of failures');

let position = 0;

const failure = (host: string, subject: string, more: Partial<FailureItem> = {}): FailureItem => ({
  position: ++position,
  eventId: '',
  eventType: 'CommandFailed',
  recordedAt: '2026-01-01T00:00:00.000Z',
  host,
  subject,
  kind: 'crashed',
  code: 'TypeError',
  ...more,
});

test('the same failure is listed once, with its number and its hosts', () => {
  const groups = groupFailures([
    failure('north', 'ShipOrder: no carrier 7'),
    failure('south', 'ShipOrder: no carrier 9'),
    failure('south', 'CancelOrder: oh'),
  ]);
  assert.equal(
    groups.map(({ latest, count, hosts }) => [latest.subject, count, hosts]),
    [
      ['ShipOrder: no carrier 7', 2, ['north', 'south']],
      ['CancelOrder: oh', 1, ['south']],
    ],
  );
});

test('errors of the service come before what was recovered or refused', () => {
  const groups = groupFailures([
    failure('north', 'ShipOrder', { kind: 'refused', code: 'order-closed' }),
    failure('north', 'ShipOrder', { kind: 'recovered' }),
    failure('north', 'ShipOrder'),
  ]);
  assert.equal(
    groups.map(({ kind }) => kind),
    ['crashed', 'recovered', 'refused'],
  );
});
