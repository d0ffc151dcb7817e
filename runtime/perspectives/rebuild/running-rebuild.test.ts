import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { type RebuildPorts, RunningRebuild } from './running-rebuild.js';

const test = suite('progress of a rebuild');

test('what its partitions have read of a page counts at once, and only once', async () => {
  const record = { events: 100, totalStreams: 3, totalEvents: 5_000, target: 9, lostRows: 0, state: '' };
  const { signal } = new AbortController();
  const run = new RunningRebuild({ record, signal } as unknown as RebuildPorts);
  run.reading(0, 500);
  run.reading(1, 500);
  run.reading(0, 1_000);
  assert.is(run.folded, 1_600);
  await run.throttle(2_200);
  assert.equal([run.folded, run.events], [2_300, 2_300]);
});
