import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmEnvironment } from '../../runtime/testing/npm-environment.js';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** What `npm publish` would send. */
export interface PackedPackage {
  readonly tarball: string;
  /** The paths in it, with slashes. */
  readonly files: readonly string[];
}

export function pack(into: string, folder: string = repository): PackedPackage {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
  const [packed] = JSON.parse(
    execFileSync('npm', args, {
      cwd: folder,
      env: npmEnvironment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { filename: string; files: { path: string }[] }[];
  return {
    tarball: join(into, packed?.filename ?? ''),
    files: (packed?.files ?? []).map(({ path }) => path),
  };
}

/** Installs it into a separate project, and returns npm's warnings. */
export function install(folder: string, ...args: readonly string[]): string {
  const command = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...args];
  const { status, stderr } = spawnSync('npm', command, {
    cwd: folder,
    env: npmEnvironment(),
    encoding: 'utf8',
  });
  return status === 0 ? stderr : `npm install exited with ${status}\n${stderr}`;
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
