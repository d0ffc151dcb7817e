import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import {
  acquireOwnership,
  earlierGenerations,
  findOwner,
  latestGeneration,
  parseOwner,
} from './ownership.js';
import { withFolder } from '../../kit/temporary-folder.js';

const test = suite('ownership');

test('exactly one of many concurrent processes acquires a home', () =>
  withFolder(async (home) => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => acquireOwnership(home)));
    assert.is(claims.filter(Boolean).length, 1);
    assert.is((await findOwner(home))?.pid, process.pid);
  }));

test('a home whose owner is alive cannot be acquired until the owner releases it', () =>
  withFolder(async (home) => {
    const first = await acquireOwnership(home);
    assert.is(await acquireOwnership(home), undefined);
    await first?.release();
    assert.is(await findOwner(home), undefined);
    assert.ok(await acquireOwnership(home));
  }));

test('exactly one of many succeeds a dead owner', () =>
  withFolder(async (home) => {
    await writeFile(join(home, 'owner.7'), `${process.pid} long ago`);
    const claims = await Promise.all(Array.from({ length: 20 }, () => acquireOwnership(home)));
    assert.is(claims.filter(Boolean).length, 1);
    assert.equal(await readdir(home), ['owner.8']);
  }));

test('a late release does not take the home from its next owner', () =>
  withFolder(async (home) => {
    const first = await acquireOwnership(home);
    await writeFile(join(home, 'owner.1'), '1 another');
    await first?.release();
    assert.is(await readFile(join(home, 'owner.1'), 'utf8'), '1 another');
  }));

test('only the highest number counts', () => {
  const names = ['owner.9', 'owner.10', 'owner.11.draft', 'cluster', 'password'];
  assert.is(latestGeneration(names), 10);
  assert.equal(earlierGenerations(names, 10), ['owner.9']);
  assert.is(latestGeneration([]), 0);
});

test('an empty owner file has no owner', () => {
  assert.is(parseOwner(''), undefined);
  assert.equal(parseOwner('4743 boot:98383'), { pid: 4743, startTime: 'boot:98383' });
});
