import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startCompiler } from './watch.js';

const test = suite('watch');

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
