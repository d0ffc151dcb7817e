import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { GeneratedFile } from './emit/emit-all.js';

/** How the files on disk differ from the generated ones. */
export interface Difference {
  readonly changed: readonly GeneratedFile[];
  /** Generated earlier, and obsolete. */
  readonly vanished: readonly string[];
}

export async function differenceOf(root: string, files: readonly GeneratedFile[]): Promise<Difference> {
  const changed: GeneratedFile[] = [];
  for (const file of files) {
    const present = await readFile(join(root, file.path), 'utf8').catch(() => undefined);
    if (present !== file.text) changed.push(file);
  }
  const wanted = new Set(files.map(({ path }) => path));
  const present = await generatedFiles(root, root);
  return { changed, vanished: present.filter((path) => !wanted.has(path)).sort() };
}

/** Writes only changed files, each atomically. */
export async function writeDifference(root: string, { changed, vanished }: Difference): Promise<void> {
  const targets = changed.map(({ path, text }) => ({ text, target: join(root, path) }));
  for (const folder of new Set(targets.map(({ target }) => dirname(target))))
    await mkdir(folder, { recursive: true });
  for (let at = 0; at < targets.length; at += atOnce)
    await Promise.all(targets.slice(at, at + atOnce).map(({ target, text }) => writeWhole(target, text)));
  for (const path of vanished) await rm(join(root, path), { force: true });
}

const atOnce = 16;

async function writeWhole(target: string, text: string): Promise<void> {
  await writeFile(`${target}.writing`, text);
  await rename(`${target}.writing`, target);
}

/** The generated files of a tree that only this process writes: after the first time nothing is read again. */
export class WrittenFiles {
  #texts: ReadonlyMap<string, string> | undefined;

  constructor(private readonly root: string) {}

  /** Writes what differs, and returns it. */
  async update(files: readonly GeneratedFile[]): Promise<Difference> {
    const known = this.#texts;
    const difference =
      known === undefined ? await differenceOf(this.root, files) : this.#differenceFrom(known, files);
    // After a failed write the state of the disk is unknown.
    this.#texts = undefined;
    await writeDifference(this.root, difference);
    this.#texts = new Map(files.map(({ path, text }) => [path, text]));
    return difference;
  }

  #differenceFrom(known: ReadonlyMap<string, string>, files: readonly GeneratedFile[]): Difference {
    const wanted = new Set(files.map(({ path }) => path));
    const isThere = ({ path, text }: GeneratedFile): boolean =>
      known.get(path) === text && existsSync(join(this.root, path));
    return {
      changed: files.filter((file) => !isThere(file)),
      vanished: [...known.keys()].filter((path) => !wanted.has(path)).sort(),
    };
  }
}

const ours = /\.ts$|^(?:client\.js|openapi\.json|events\.json|tools\.json|schema\.graphql)$/;

const notSources = new Set(['node_modules', 'dist', 'releases']);
const isLeftAlone = (folder: string): boolean => notSources.has(folder) || folder.startsWith('.');

/** A folder named `generated` is ours; files of others stay unless they look generated. */
async function generatedFiles(folder: string, root: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isLeftAlone(entry.name) ? [] : generatedFiles(path, root);
      const inGenerated = folder.split(sep).at(-1) === 'generated';
      return inGenerated && ours.test(entry.name) && (await isGeneratedFile(path))
        ? [relative(root, path).split(sep).join('/')]
        : [];
    }),
  );
  return found.flat();
}

async function isGeneratedFile(path: string): Promise<boolean> {
  if (!/\.[jt]s$/.test(path)) return true;
  return (await readFile(path, 'utf8')).startsWith('// Written by svc generate');
}
