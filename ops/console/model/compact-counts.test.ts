import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { LifecycleCounts, mergeAggregates } from '../../../endpoints/lifecycle/lifecycle-counts.js';
import { edges } from '../../../endpoints/lifecycle/lifecycle-machine.js';
import { combineCompactCounts, type CompactCounts, sumUnstarted, toCompactCounts } from './compact-counts.js';

const test = suite('sent counts');

const unstarted = { rejected: 3, replayed: 2, crashed: 1 };

/** Every edge twice, after this long. */
function countsOf(us: number): LifecycleCounts {
  const counts = new LifecycleCounts('');
  counts.begin();
  for (const number of edges.keys()) counts.count(number, us);
  return counts;
}

const overTheWire = (sent: CompactCounts): CompactCounts => JSON.parse(JSON.stringify(sent)) as CompactCounts;

test('counts of several hosts combine into the counts of one', () => {
  const hosts = [countsOf(40), countsOf(9_000)].map((counts) => counts.aggregate());
  assert.equal(
    combineCompactCounts(hosts.map((host) => overTheWire(toCompactCounts(host, unstarted)))),
    mergeAggregates('', hosts),
  );
});

test('requests without a lifecycle of several hosts are added up', () => {
  assert.equal(sumUnstarted([unstarted, unstarted, {}]), { rejected: 6, replayed: 4, crashed: 2 });
});

test('empty buckets are not sent', () => {
  assert.ok(JSON.stringify(toCompactCounts(countsOf(40).aggregate(), unstarted)).length < 1_500);
});
