import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './reference-pages.js';

interface Page {
  /** Below the repository. */
  readonly path: string;
  readonly text: string;
}

/** The pages that people write: those of the site, and the README. */
export async function writtenPages(): Promise<readonly Page[]> {
  const found = await readdir(join(repository, 'docs'), { recursive: true });
  const isWritten = (path: string) =>
    path.endsWith('.md') && !/^(?:node_modules|reference|\.vitepress)\//.test(path);
  const paths = ['README.md', ...found.filter(isWritten).map((path) => `docs/${path}`)].toSorted();
  return Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(repository, path), 'utf8') })),
  );
}
