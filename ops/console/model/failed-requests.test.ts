import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { byCode } from './failed-requests.js';
import type { RequestItem } from './requests.js';

const test = suite('failed requests');

const request = (status: number, error: string, command: string, second: number): RequestItem => ({
  id: `r-${second}`,
  correlationId: 'c',
  transport: 'rest',
  outcome: 'failed',
  ms: 1,
  states: [],
  status,
  error,
  command,
  startedAt: `2026-01-01T00:00:0${second}.000Z`,
});

test('failures are grouped by code, errors of the service first, then the most frequent', () => {
  const groups = byCode([
    request(404, 'not-found', 'ShipOrder', 3),
    request(409, 'order-closed', 'CancelOrder', 4),
    request(409, 'order-closed', 'ShipOrder', 2),
    request(500, 'unexpected', 'PayOrder', 1),
    request(200, '', 'PayOrder', 5),
  ]);
  assert.equal(
    groups.map(({ status, code, count }) => [status, code, count]),
    [
      [500, 'unexpected', 1],
      [409, 'order-closed', 2],
      [404, 'not-found', 1],
    ],
  );
  assert.equal(groups[1]?.commands, ['CancelOrder', 'ShipOrder']);
  assert.is(groups[1]?.latest, '2026-01-01T00:00:04.000Z');
});
