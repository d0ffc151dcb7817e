import { existsSync } from 'node:fs';
import { register, type ResolveHook } from 'node:module';
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
  if (path.includes('/testing/')) return url;
  throw new Problem('invalid-setup', { detail: `There is no ${path}.` });
}
