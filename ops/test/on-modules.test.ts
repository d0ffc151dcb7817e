import { execFileSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';

const test = suite('modules instead of the package');

test('a process whose coverage is counted loads the modules of the package, whichever entry point it names', () => {
  const urlOf = (path: string): string => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);
  const same = `const [one, other] = await Promise.all([import(${urlOf('dist/contracts/index.js')}), import(${urlOf('build/contracts/problems.js')})]);
    console.log(one.Problem === other.Problem);`;
  const run = (...options: readonly string[]): string =>
    execFileSync(process.execPath, [...options, '--input-type=module', '-e', same], { encoding: 'utf8' });
  assert.is(run(`--import=${new URL('on-modules.js', import.meta.url).href}`), 'true\n');
  assert.is(run(), 'false\n');
});
