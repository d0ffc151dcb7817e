import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';

const built = fileURLToPath(new URL('../../', import.meta.url));

/** Runs Node where no string becomes code. */
export function withoutEval(...args: readonly string[]) {
  return spawnSync(process.execPath, ['--disallow-code-generation-from-strings', ...args], {
    cwd: built,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
}

/** Expects the tests of these modules to pass there. */
export function mustPassWithoutEval(modules: readonly string[]): void {
  const tests = modules.map((name) => join(built, `${name}.test.js`));
  const { status, stdout, stderr } = withoutEval(join(built, 'ops/test/run-in-one-process.js'), ...tests);
  assert.match(stdout, /\n\d{2,} passed, 0 failed\n$/, stderr);
  assert.is(status, 0);
}
