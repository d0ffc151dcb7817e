import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { deploymentDriver, newFront } from './file-driver.js';

const test = suite('the simulated driver');

test('what one process does to the front, another one finds', () =>
  withFolder(async (folder) => {
    newFront(join(folder, 'front.json'), 3);
    const signal = new AbortController().signal;
    const target = await deploymentDriver({}, folder).prepare('1.5.0', undefined, signal);
    await target.scale('new', 2, signal);
    await target.setWeights(100, signal);
    const other = deploymentDriver({}, folder);
    assert.equal(await other.revisions(signal), { current: '1.5.0', known: ['1.5.0', '1.4.2'] });
    const again = await other.prepare('1.5.0', undefined, signal);
    const { old, new: next, toNew } = await again.observe(signal);
    assert.equal([old.replicas, next.replicas, next.ready, toNew], [3, 2, 2, 100]);
  }));
