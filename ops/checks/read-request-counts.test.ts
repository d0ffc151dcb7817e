import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { countsBetween, errorRateOf, requestCountsIn } from './read-request-counts.js';

const test = suite('error rate');

const line = (route: string, status: number, count: number | string) =>
  `http_server_request_duration_seconds_count{http_request_method="POST",http_route="${route}",http_response_status_code="${status}"} ${count}`;

test('only answers with 5xx are errors, and probes and scrapes are no requests', () => {
  const metrics = [
    '# TYPE http_server_request_duration_seconds histogram',
    line('/orders', 200, 90),
    line('/orders', 404, 5),
    line('/orders', 503, 5),
    line('/health/ready', 503, 1_000),
    line('/metrics', 200, 1_000),
    'http_server_request_duration_seconds_sum{http_route="/orders",http_response_status_code="500"} 7',
  ].join('\n');
  const counts = requestCountsIn(metrics);
  assert.equal(counts, { requests: 100, errors: 5 });
  assert.is(errorRateOf(counts), 0.05);
});

test('a host without requests has no errors', () => {
  assert.is(errorRateOf(requestCountsIn('')), 0);
});

test('between two reads only what was added counts, and everything after a restart', () => {
  const first = { requests: 100, errors: 50 };
  assert.equal(countsBetween(first, { requests: 130, errors: 51 }), { requests: 30, errors: 1 });
  assert.equal(countsBetween(first, { requests: 3, errors: 1 }), { requests: 3, errors: 1 });
});

for (const broken of [
  line('/a', 500, 'NaN'),
  line('/a', 500, -1),
  line('/a', 500, ''),
  '{} 5',
  line('/a', 500, 1).slice(0, 60),
]) {
  test(`the line ${JSON.stringify(broken.slice(-40))} counts nothing that is not a number`, () => {
    const { requests, errors } = requestCountsIn(broken);
    assert.ok(Number.isFinite(requests) && requests >= 0 && errors >= 0);
  });
}

test('a route cannot pass for a status', () => {
  const route = String.raw`/a\",http_response_status_code=\"500\"`;
  assert.equal(requestCountsIn(line(route, 200, 3)), { requests: 3, errors: 0 });
});
