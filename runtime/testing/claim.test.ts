import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { claim } from './claim.js';
import { withFolder } from '../kit/temporary-folder.js';

const test = suite('claimed numbers');

test('a number is claimed once, also by claims at the same time, until none is left', () =>
  withFolder(async (folder) => {
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(folder, 4)));
    assert.equal(
      claims.toSorted((a, b) => (a ?? 9) - (b ?? 9)),
      [0, 1, 2, 3, undefined],
    );
  }));

test('a folder that does not exist is an error', async () => {
  const failure = await claim('/no/such/folder', 4).catch((error: unknown) => error);
  assert.match(String(failure), 'ENOENT');
});
