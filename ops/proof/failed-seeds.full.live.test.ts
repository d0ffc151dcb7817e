import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { failedSeeds, readRuns } from './recorded-runs.js';

const test = suite('seeds that failed');

test('each recorded seed that once failed now passes', async () => {
  for (const { run, seed } of failedSeeds(await readRuns())) {
    const args = ['build/ops/chaos/main.js', ...run.split(' ').filter(Boolean), '--seed', String(seed)];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.is(status, 0, `${run} --seed ${seed}: ${stdout}`);
  }
});
