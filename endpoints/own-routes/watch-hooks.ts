import type { FastifyInstance } from 'fastify';

/** Hooks that run for the whole server, or for a request before its body is read. */
const earlyHooks: ReadonlySet<string> = new Set([
  'onReady',
  'onListen',
  'preClose',
  'onClose',
  'onRegister',
  'onRequest',
]);

interface WatchedHooks {
  /** A hook was added that needs the parsed body of a command, its handler or its answer. */
  readonly found: boolean;
  end(): void;
}

/** Finds out whether the application adds such hooks to the whole server; those of an encapsulated plugin do not count. */
export function watchHooks(app: FastifyInstance): WatchedHooks {
  const { addHook } = app as { addHook: (...given: unknown[]) => unknown };
  let found = false;
  // A plugin that is not encapsulated gets the same instance; others inherit this function.
  const noting = function noting(this: FastifyInstance, ...given: unknown[]): unknown {
    if (this === app && !earlyHooks.has(String(given[0]))) found = true;
    return addHook.apply(this, given);
  };
  Object.assign(app, { addHook: noting });
  return {
    get found() {
      return found;
    },
    end: () => void Object.assign(app, { addHook }),
  };
}
