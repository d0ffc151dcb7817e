import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';

/** What a file imports: ours by a path, or the package by its name. Tests contain programs as text, in other quotes. */
const named = /(?:\bfrom |\bimport |\bimport\()"((?:\.{1,2}\/|svc-runtime(?=["/]))[^"]*)"/g;

/** An import whose target is known only when it runs. */
const computed = /\bimport\((?!\s*["'])/;

/** Finds by the imports of a built file what its process loads: modules in `build/`, the package in `dist/`, or both. */
export function readBuilds(root: string) {
  const known = new Map<string, Loaded>();
  const nameOf = (file: string): string => relative(root, file).replaceAll(sep, '/');
  /** The package imports nothing but itself; what is nowhere is named in the text of a program. */
  const isLeaf = (file: string): boolean => nameOf(file).startsWith('dist/') || !existsSync(file);
  const read = (file: string): Loaded => {
    const found = known.get(file) ?? (isLeaf(file) ? nothing : loadedBy(file));
    known.set(file, found);
    return found;
  };
  /** Every file that a process loads with this one. */
  const reach = (file: string): string[] => {
    const reached = new Set([file]);
    for (const one of reached) for (const next of read(one).files) reached.add(next);
    return [...reached];
  };
  return {
    /** The builds that a process with this file loads: `build` are modules, `dist` is the package. */
    buildsOf: (file: string): string[] => {
      const folders = reach(file).map((each) => /^(?:build|dist)(?=\/)/.exec(nameOf(each))?.[0]);
      return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted();
    },
    /** The files with an import whose target is computed, of all that these load. */
    computing: (files: readonly string[]): string[] =>
      [...new Set(files.flatMap(reach))]
        .filter((file) => read(file).isComputing)
        .map(nameOf)
        .toSorted(),
  };
}

interface Loaded {
  readonly files: readonly string[];
  readonly isComputing: boolean;
}

const nothing: Loaded = { files: [], isComputing: false };

function loadedBy(file: string): Loaded {
  const text = readFileSync(file, 'utf8');
  const files = Array.from(text.matchAll(named), ([, name = '']) =>
    name.startsWith('.') ? join(dirname(file), name) : createRequire(file).resolve(name),
  );
  return { files, isComputing: computed.test(text) };
}
