import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow } from '../build/files.js';
import { pageFolders } from '../build/pages.js';
import { type Imports, importsIn } from './imports.js';

/** What pages are bundled from outside their folders: modules and style sheets. Read from sources, as pages are no modules. */
export async function readPages(repository: string): Promise<Imports> {
  const read = async (folder: string) => [folder, await needsOf(repository, folder)] as const;
  return new Map(await Promise.all(pageFolders.map(read)));
}

async function needsOf(repository: string, folder: string): Promise<string[]> {
  const names = (await filesBelow(join(repository, folder))).filter((name) => /\.(?:css|tsx?)$/.test(name));
  const needs = await Promise.all(
    names.map(async (name) =>
      importsIn(`${folder}/${name}`, await readFile(join(repository, folder, name), 'utf8')),
    ),
  );
  return [...new Set(needs.flat())].filter((path) => !path.startsWith(`${folder}/`));
}
