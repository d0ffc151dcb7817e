import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { program } from './program.js';

const test = suite('programs of tests');

test('a program on the path is found there', async () => {
  assert.match(await program('node'), /node$/);
});

test('one that cannot be installed is named with the line that would', async () => {
  const failure = await program('no-such-program', 'no-such-package-at-all').catch((error: unknown) => error);
  assert.instance(failure, Problem);
  assert.match((failure as Problem).message, /no-such-program.*install -y no-such-package-at-all/);
});

test.run();
