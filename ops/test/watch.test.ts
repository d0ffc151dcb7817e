import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { affectedBy, startCompiler } from './watch.js';

const test = suite('watch');

test('A change runs the tests that need it, directly or by what they import, and no other', () => {
  const imports = new Map([
    ['a.test.js', ['a.js']],
    ['b.test.js', ['b.js']],
    ['a.js', ['shared.js']],
    ['b.js', []],
    ['shared.js', []],
  ]);
  const tests = ['a.test.js', 'b.test.js'];
  assert.equal(affectedBy(new Set(['shared.js']), tests, imports), ['a.test.js']);
  assert.equal(affectedBy(new Set(['b.test.js']), tests, imports), ['b.test.js']);
  assert.equal(affectedBy(new Set(['c.js']), tests, imports), []);
});

test('An interrupt ends the compiler with what it has started', async () => {
  const inner = `console.log('compiling'); setTimeout(() => {}, 20_000)`;
  const outer = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
  const interrupt = new AbortController();
  const compiler = startCompiler(['-e', outer], interrupt.signal);
  await once(compiler.stdout, 'data');
  const closed = once(compiler, 'close', { signal: AbortSignal.timeout(10_000) });
  interrupt.abort();
  await closed;
  assert.is(compiler.signalCode, 'SIGTERM');
});
