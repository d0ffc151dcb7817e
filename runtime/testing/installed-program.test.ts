import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { program, whileLocked } from './installed-program.js';

const test = suite('programs of tests');

test('a program on the path is found there', async () => {
  assert.match(await program('node'), /node$/);
});

test('a program that cannot be installed is named with the command that would install it', async () => {
  const installer = 'false';
  const failure = await program('no-such-program', 'no-such-package', installer).catch(
    (error: unknown) => error,
  );
  assert.instance(failure, Problem);
  assert.match((failure as Problem).message, /no-such-program.*install -y no-such-package/);
});

test('it waits for package lists that are being updated, and fails on any other error', async () => {
  const failures = ['E: Could not get lock /var/lib/apt/lists/lock', 'E: no network'];
  const update = () => Promise.reject(new RangeError(failures.shift() ?? 'asked once too often'));
  const failure = await whileLocked(update).catch(String);
  assert.is(failure, 'RangeError: E: no network');
});
