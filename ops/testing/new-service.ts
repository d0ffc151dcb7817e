import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { newVerb } from '../commands/new.js';
import { processRoot } from '../../runtime/testing/process-root.js';
import { repository } from './packed-package.js';
import { runVerbInProcess } from './in-process-cli.js';

const run = promisify(execFile);

/** The one that a new service finds, too: two would know nothing of each other's classes. */
export const cli = join(processRoot, 'dist/ops/cli.js');

/** What `npm install` would bring, from this repository. */
const installed = {
  'svc-runtime': processRoot,
  ...Object.fromEntries(
    ['typescript', '@ts-morph/common', '@types/node', 'uvu'].map((name) => [
      name,
      join(repository, 'node_modules', name),
    ]),
  ),
};

/** Lends a service that was just created, as it is after `npm install`. */
export const withNewService = <T>(
  body: (dir: string) => Promise<T>,
  ...options: readonly string[]
): Promise<T> =>
  withFolder(async (folder) => {
    const dir = join(folder, 'library');
    await runVerbInProcess(newVerb, [dir, ...options]);
    for (const [name, path] of Object.entries(installed)) {
      const link = join(dir, 'node_modules', name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(path, link);
    }
    return await body(dir);
  });

/** Generates and compiles, as `npm run build` does. */
export async function build(dir: string): Promise<void> {
  await run(process.execPath, [cli, 'generate'], { cwd: dir });
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '--pretty', 'false'], { cwd: dir });
}

/** What its tests report, in TAP. */
export async function testsOf(dir: string): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--test', '--test-reporter=tap'];
  return (await run(process.execPath, args, { cwd: join(dir, 'dist'), env })).stdout;
}
