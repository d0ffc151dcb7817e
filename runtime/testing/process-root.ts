import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const modules = new URL('../../', import.meta.url);
const repository = new URL('../', modules);

/** The folder from which tests start processes. */
export const processRoot = fileURLToPath(repository);

/**
 * Where a process finds a module of ours: in the package, or, if it is a service or a program of tests, among those that
 * are built for processes. The module itself would load the package a second time.
 */
export function builtForProcess({ href }: URL): string {
  const path = href.slice(modules.href.length);
  const places = ['dist/', 'build/applications/'].map((folder) => new URL(`${folder}${path}`, repository));
  const found = places.find((place) => existsSync(place));
  return (found ?? new URL(path, repository)).href;
}

/** The folder of an example whose modules are those of this process. */
export const exampleHere = (name: string): string => fileURLToPath(new URL(`examples/${name}`, modules));

/** An example as a process loads it: on the package. */
export const exampleForProcess = (name: string): string =>
  new URL(`examples/${name}/dist/main.js`, repository).href;
