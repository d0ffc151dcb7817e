import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { figuresIn } from './metrics-text.js';
import { GrowingCounts } from './growing-counts.js';

const test = suite('requests of pods');

test('counters of pods that come, restart, are missed once and go are added up', () => {
  const counts = new GrowingCounts();
  const add = (pods: Readonly<Record<string, readonly [number, number]>>) =>
    counts.add(new Map(Object.entries(pods).map(([pod, [requests, errors]]) => [pod, { requests, errors }])));
  assert.equal(add({ a: [100, 5] }), { requests: 100, errors: 5 });
  assert.equal(add({ a: [110, 5], b: [10, 1] }), { requests: 120, errors: 6 });
  assert.equal(add({ b: [3, 0] }), { requests: 123, errors: 6 });
  assert.equal(add({ a: [115, 6], b: [4, 0] }), { requests: 129, errors: 7 });
  assert.equal(add({}), { requests: 129, errors: 7 });
});

test('the text of Prometheus is read: requests by status, what is in flight, and nothing else', () => {
  const text = `# HELP http_server_request_duration_seconds How long
# TYPE http_server_request_duration_seconds histogram
http_server_request_duration_seconds_bucket{le="0.001",http_route="/a",http_response_status_code="200"} 7
http_server_request_duration_seconds_count{http_request_method="GET",http_route="/a",http_response_status_code="200"} 7
http_server_request_duration_seconds_count{http_request_method="GET",http_route="/a\\"b",http_response_status_code="504"} 2
http_server_request_duration_seconds_count{http_request_method="GET",http_route="/live",http_response_status_code="500"} 50
svc_handlers_running{command="A"} 2
svc_handlers_running{command="B"} 1
svc_mailbox_depth{command="A"} 4`;
  assert.equal(figuresIn(text, new Set(['/live'])), { requests: 9, errors: 2, inFlight: 7 });
});

test('a counter that is no number is refused: read as zero, it would hide errors and count them again later', () => {
  const line = 'http_server_request_duration_seconds_count{http_route="/a",http_response_status_code="200"} ';
  assert.is(figuresIn(`${line}7\n`, new Set()).requests, 7);
  assert.throws(() => figuresIn(`${line}7\n${line}NaN\n`, new Set()), /a number that no host can count/);
  assert.is(figuresIn(`${line}NaN\n`, new Set(['/a'])).requests, 0, 'of a route that does not count');
});
