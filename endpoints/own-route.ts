import type { FastifyRequest } from 'fastify';
import type { Decode } from '../contracts/codec.js';
import type { RequiredPermission } from '../contracts/identity.js';
import { encodeJson } from './registrations.js';

/** A route of the application that the generator reads: it is in the OpenAPI document and in the typed client. */
export interface OwnRoute<TRequest = unknown, TResponse = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In `/parcels/:id/scan` the field `id` of the request comes from the path. */
  readonly path: string;
  /** What a caller needs; required when the host authenticates. */
  readonly permission?: RequiredPermission;
  /** The request is already checked; `http` has its caller, its signal and `dispatch`. */
  handle(request: TRequest, http: FastifyRequest): TResponse | Promise<TResponse>;
}

/**
 * Declares a typed route; the generated registry adds it to every server.
 *
 * @example
 * ```ts
 * export const findShelf = ownRoute<AskShelf, Shelf>({
 *   method: 'GET', path: '/shelves/:shelf', permission: 'public',
 *   handle: ({ shelf }) => shelves.get(shelf),
 * });
 * ```
 */
export const ownRoute = <TRequest, TResponse>(
  route: OwnRoute<TRequest, TResponse>,
): OwnRoute<TRequest, TResponse> => route;

/** A typed route and everything a server needs to offer it. */
export interface RegisteredRoute {
  readonly route: OwnRoute;
  /** Absent for a route that takes nothing. */
  readonly decode?: Decode<unknown>;
  readonly encode: (answer: unknown) => string | null;
  /** The fields in the path or query whose text is a number or a boolean. */
  readonly literals: readonly string[];
}

/** Registers a typed route; the types of one registration match each other, from outside they are opaque. */
export const registeredRoute = <TRequest, TResponse>(
  route: OwnRoute<TRequest, TResponse>,
  codec: {
    readonly decode?: Decode<TRequest>;
    readonly encode?: (answer: TResponse) => string | null;
    readonly literals?: readonly string[];
  },
): RegisteredRoute => ({ encode: encodeJson, literals: [], ...codec, route }) as unknown as RegisteredRoute;
