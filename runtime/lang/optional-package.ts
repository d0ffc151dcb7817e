import { createRequire } from 'node:module';
import { Problem } from '../../contracts/problems.js';
import { manifest } from './version.js';

/** Packages that only some services need are theirs to install; the error names the command. */
export function mustBeInstalled(
  name: string,
  neededBy: string,
  kind: 'development' | 'production' = 'production',
  from: string = import.meta.url,
): void {
  try {
    createRequire(from).resolve(name);
  } catch (cause) {
    const range = manifest.peerDependencies[name] ?? manifest.devDependencies[name];
    const version = range?.replace(/^[~^]/, '') ?? 'latest';
    // Without --include=dev npm removes all development packages where NODE_ENV is production.
    const options = kind === 'development' ? '--save-dev --include=dev ' : '';
    throw new Problem('invalid-setup', {
      detail: `${neededBy} needs ${name}, which is not installed. Run \`npm install ${options}${name}@${version}\`.`,
      cause,
    });
  }
}
