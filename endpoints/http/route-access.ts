import type { RequiredPermission } from '../../contracts/identity.js';

/** The access settings in a route's `config`. */
export interface RouteAccess {
  /** The route accepts tokens and controls its own access. */
  readonly checksAccess?: boolean;
  /** Neither limited nor shed. */
  readonly isProbe?: boolean;
  /** Answers everybody, whatever the host name, and decides by itself who sees more than a status. */
  readonly isOpen?: boolean;
  /** Takes no credentials from the headers: its callers are limited by their addresses. */
  readonly ignoresCredentials?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteAccess {
    /** What a caller of an own route needs; required on each of them when the host authenticates. */
    permission?: RequiredPermission;
    /** The route records its own durations. */
    readonly isTimed?: boolean;
    /** The route exists only to refuse other methods. */
    readonly isRefusal?: boolean;
  }
}
