import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow } from './files.js';
import { isOfPage } from './pages.js';

const folder = 'chunks/';
/** Lists them, so that npm does not pack them. */
const listName = `${folder}.npmignore`;

/**
 * Removes what earlier builds left. A running host loads some chunks only when it needs them, so chunks of the last build
 * stay until a later one changes something again.
 */
export async function removeFormer(dist: string, written: ReadonlySet<string>): Promise<void> {
  const former = await namesIn(join(dist, listName));
  const left = (await filesBelow(dist)).filter(
    (name) => !written.has(join(dist, name)) && !isWrittenElsewhere.test(name) && !isOfPage(name),
  );
  const replaced = left.filter((name) => name.startsWith(folder) && !former.has(name));
  const stay = new Set(replaced.length === 0 ? former : replaced);
  for (const name of left) if (!stay.has(name)) await rm(join(dist, name));
  const lines = left.filter((name) => stay.has(name)).map((name) => name.slice(folder.length));
  await writeFile(join(dist, listName), lines.join('\n'));
}

/** Declarations, the text of the guides, and our own list. */
const isWrittenElsewhere = /\.d\.ts$|^docs\.txt\.br$|\.npmignore$/;

async function namesIn(list: string): Promise<ReadonlySet<string>> {
  const lines = await readFile(list, 'utf8').catch(() => '');
  return new Set(lines.split('\n').map((line) => folder + line));
}
