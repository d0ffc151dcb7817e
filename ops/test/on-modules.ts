import { register, type ResolveHook } from 'node:module';

/** Preloaded: a process that would load the package loads its modules instead. */
const asHooks = '?hooks';
if (!import.meta.url.endsWith(asHooks)) register(import.meta.url + asHooks);

const repository = new URL('../../../', import.meta.url).href;
const packaged = `${repository}dist/`;

export const resolve: ResolveHook = async (specifier, context, next) => {
  const found = await next(specifier, context);
  const isOurs = found.url.startsWith(packaged) && found.url.endsWith('.js');
  return isOurs ? { ...found, url: `${repository}build/${found.url.slice(packaged.length)}` } : found;
};
