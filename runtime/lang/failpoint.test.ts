import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';

const test = suite('failpoint');

test('a process dies immediately at its failpoint', () => {
  assert.equal(passesOf('store', 'store'), { passed: 0, killedBy: 'SIGKILL' });
});

test('with a number it dies at that pass', () => {
  assert.equal(passesOf('store@3', 'store'), { passed: 2, killedBy: 'SIGKILL' });
});

test('a failpoint of another name, or none, changes nothing', () => {
  assert.equal(passesOf('relay', 'store'), { passed: 5, killedBy: null });
  assert.equal(passesOf('', 'store'), { passed: 5, killedBy: null });
});

test('several failpoints may be armed', () => {
  assert.equal(passesOf('relay@2, store@4', 'store'), { passed: 3, killedBy: 'SIGKILL' });
});

/** Passes a failpoint five times in a child process. */
function passesOf(armed: string, name: string): { passed: number; killedBy: string | null } {
  const module = new URL('failpoint.js', import.meta.url).href;
  const script = `import { writeSync } from 'node:fs';
    import { failpoint } from ${JSON.stringify(module)};
    for (let n = 0; n < 5; n++) { failpoint(${JSON.stringify(name)}); writeSync(1, '.'); }`;
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, SVC_FAILPOINTS: armed },
    encoding: 'utf8',
  });
  return { passed: child.stdout.length, killedBy: child.signal };
}
