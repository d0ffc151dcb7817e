import { readFile } from 'node:fs/promises';
import { Problem } from '../../../contracts/problems.js';
import type { ConsoleFile } from './routes.js';

const files = [
  ['/console', 'index.html', 'text/html; charset=utf-8'],
  ['/console/app.js', 'app.js', 'text/javascript; charset=utf-8'],
  ['/console/style.css', 'style.css', 'text/css; charset=utf-8'],
] as const;

/** The built page. */
export function consoleFiles(): Promise<readonly ConsoleFile[]> {
  return Promise.all(
    files.map(async ([path, name, type]) => ({ path, type, content: await contentOf(name) })),
  );
}

async function contentOf(name: string): Promise<Buffer> {
  try {
    return await readFile(new URL(`../page/${name}`, import.meta.url));
  } catch (cause) {
    throw new Problem('invalid-setup', { detail: `The console is not built; run npm run build.`, cause });
  }
}
