import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LifecycleCounts, mergeAggregates } from '../../../endpoints/lifecycle/lifecycle-counts.js';
import { edges } from '../../../endpoints/lifecycle/edges.js';
import { combineCompactCounts, type CompactCounts, toCompactCounts } from './compact-counts.js';

const test = suite('sent counts');

/** Every edge twice, after this long. */
function countsOf(us: number): LifecycleCounts {
  const counts = new LifecycleCounts('');
  counts.begin();
  for (const number of edges.keys()) counts.take(number, us);
  return counts;
}

const overTheWire = (sent: CompactCounts): CompactCounts => JSON.parse(JSON.stringify(sent)) as CompactCounts;

test('counts of several hosts combine into the counts of one', () => {
  const hosts = [countsOf(40), countsOf(9_000)].map((counts) => counts.aggregate());
  assert.equal(
    combineCompactCounts(hosts.map((host) => overTheWire(toCompactCounts(host)))),
    mergeAggregates('', hosts),
  );
});

test('empty buckets are not sent', () => {
  assert.ok(JSON.stringify(toCompactCounts(countsOf(40).aggregate())).length < 1_500);
});

test.run();
