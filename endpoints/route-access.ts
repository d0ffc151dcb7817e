import type { FastifyInstance } from 'fastify';
import type { Identity, RequiredPermission } from '../contracts/identity.js';
import type { Command } from '../contracts/message.js';

/** Adds the routes and plugins of an application to the server of its host. */
export type OwnRoutes = (app: FastifyInstance) => unknown;

/** The access settings in a route's `config`. */
export interface RouteAccess {
  /** The route accepts tokens and controls its own access. */
  readonly checksAccess?: boolean;
  /** Shed before all others: agents wait more easily than people. */
  readonly isForAgents?: boolean;
  /** Neither limited nor shed. */
  readonly isProbe?: boolean;
  /** Answers everybody, whatever the host name, and decides by itself who sees more than a status. */
  readonly isOpen?: boolean;
  /** Takes no credentials from the headers: its callers are limited by their addresses. */
  readonly ignoresCredentials?: boolean;
}

export interface DispatchOptions {
  /** Makes a repeated request return the first answer. */
  readonly idempotencyKey?: string | string[] | undefined;
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

  interface FastifyRequest {
    /** Set by the guard of the route, when the host authenticates. */
    identity?: Identity | undefined;
    /** The bytes of a JSON body, as they were sent: signatures are made from them. */
    rawBody?: Buffer;
    /** The id that the answer, the log and the audit of its commands share; for a service with own routes. */
    readonly correlationId: string;
    /** In own routes: runs a command with its hooks, its permission and its audit, on behalf of the caller. */
    dispatch<TResult = unknown>(command: Command, options?: DispatchOptions): Promise<TResult>;
  }
}
