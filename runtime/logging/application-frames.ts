import { fileURLToPath } from 'node:url';

/** Whether a line of a stack is of the application, and not of Node.js, of this package or of another one. */
export const isApplicationFrame = (line: string): boolean =>
  /^\s+at /.test(line) &&
  !/[ (]node:|<anonymous>\)?$|\/node_modules\//.test(line) &&
  !ownFolders.some((folder) => line.includes(folder));

/** Of this package: a frame names a source by its path, or a built file by its address. */
const ownFolders = ['actors', 'build', 'contracts', 'dist', 'endpoints', 'ops', 'runtime'].flatMap(
  (folder) => {
    const url = new URL(`../../../${folder}/`, import.meta.url);
    return [url.href, fileURLToPath(url)];
  },
);
