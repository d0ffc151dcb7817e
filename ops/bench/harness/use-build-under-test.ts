import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { register, type ResolveHook } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import { ourRoot, rootUnderTest } from './build-under-test.js';

/** Preloaded: scripts of this bench get all modules but those of the bench from the build under test. */
const asHooks = '?hooks';
if (!import.meta.url.endsWith(asHooks)) register(import.meta.url + asHooks);

export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  return { ...found, url: urlUnderTest(found.url) };
};

function urlUnderTest(url: string): string {
  if (!url.startsWith(ourRoot)) return url;
  const path = url.slice(ourRoot.length);
  if (path.startsWith('ops/bench/')) return url;
  const there = new URL(path, rootUnderTest);
  if (existsSync(there)) return there.href;
  // What only prepares a measurement may be ours: it gets what it imports from the build under test, too.
  if (/\/(?:testing|kit)\//.test(path)) return url;
  return exportsElsewhere(path, namesIn(url));
}

/** A module that has moved since: its exports, from wherever they are in the build under test. */
function exportsElsewhere(path: string, names: readonly string[]): string {
  const folder = fileURLToPath(rootUnderTest);
  // Links are not followed: one leads upwards.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => /^(?:actors|contracts|endpoints|ops|runtime)\b.*(?<!\.test)\.js$/.test(file))
    .filter((file) => !/\b(?:bench|testing|kit)\b/.test(file))
    .map((file) => pathToFileURL(join(folder, file)).href);
  const found = names.flatMap((name) => {
    const file = files.find((candidate) => namesIn(candidate).includes(name));
    return file === undefined ? [] : [`export { ${name} } from '${file}';`];
  });
  if (found.length === 0) throw new Problem('invalid-setup', { detail: `There is no ${path}.` });
  return `data:text/javascript,${encodeURIComponent(found.join('\n'))}`;
}

/** As both compilers write them: with the declaration, or in a list. */
function namesIn(url: string): string[] {
  const text = readFileSync(new URL(url), 'utf8');
  const listed = Array.from(text.matchAll(/^export \{([^}]*)\};$/gm), ([, list = '']) => list.split(','));
  return [
    ...Array.from(text.matchAll(declared), ([, name = '']) => name),
    ...listed.flat().map((entry) => entry.trim().replace(/^.* as /, '')),
  ].filter((name) => name !== '');
}

const declared = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
