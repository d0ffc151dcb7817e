import type { ResolveHook } from 'node:module';

const repository = new URL('../../../', import.meta.url).href;

/** The single module of an entry point of the package. */
const moduleOf = (url: string): string =>
  url.startsWith(`${repository}dist/`) && url.endsWith('.js')
    ? `${repository}build/${url.slice(`${repository}dist/`.length)}`
    : url;

/** A process that is told to load the package loads its modules instead. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const resolved = await next(specifier, context);
  return { ...resolved, url: moduleOf(resolved.url) };
};
