import type { FastifyInstance } from 'fastify';

/** Hooks that run for the whole server, not for requests. */
const serverHooks: ReadonlySet<string> = new Set([
  'onReady',
  'onListen',
  'preClose',
  'onClose',
  'onRegister',
]);

interface WatchedHooks {
  /** A hook was added that runs for the routes of commands too. */
  readonly found: boolean;
  end(): void;
}

/** Finds out whether the application adds hooks to the whole server; those of an encapsulated plugin do not count. */
export function watchHooks(app: FastifyInstance): WatchedHooks {
  const { addHook } = app as { addHook: (...given: unknown[]) => unknown };
  let found = false;
  // A plugin that is not encapsulated gets the same instance; others inherit this function.
  const noting = function noting(this: FastifyInstance, ...given: unknown[]): unknown {
    if (this === app && !serverHooks.has(String(given[0]))) found = true;
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
