import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { install, pack, writeFiles } from './packed-package.js';
import { type SpawnedCli, startProgram } from './spawned-host.js';

/** A project that has the package installed as it is packed. */
export interface Project {
  readonly dir: string;
  readonly warnings: string;
}

/** Packs the package and installs it into a project with these files. */
export const withProject = (
  name: string,
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  body: (project: Project) => Promise<void>,
): Promise<void> =>
  withFolder(async (folder) => {
    const dir = join(folder, name);
    await writeFiles(dir, files);
    const { tarball } = pack(folder);
    await body({ dir, warnings: install(dir, '--ignore-scripts', tarball, ...args) });
  });

export function mustBeQuiet({ warnings }: Project): void {
  assert.not.match(warnings, /exited with|EBADENGINE|ERESOLVE|deprecated/);
}

export const run = (cwd: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [...args], { cwd, encoding: 'utf8' });

export const svcIn = (dir: string): string => join(dir, 'node_modules/.bin/svc');

export const startIn = (dir: string, env: Readonly<Record<string, string>>): SpawnedCli =>
  startProgram(process.execPath, [svcIn(dir), 'start', dir], env);
