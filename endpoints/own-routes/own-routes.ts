import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Command } from '../../contracts/message.js';
import type { Caller } from '../../runtime/request/request-context.js';
import { type Authentication, guardHook, type RouteHook } from '../access/authentication.js';
import type { Connections } from '../http/connections.js';
import { correlationOf } from '../http/correlation.js';
import { idempotencyKeyOf } from '../idempotency.js';
import { withoutToken } from '../http/redact-url-credentials.js';
import type { DispatchOptions, OwnRoutes } from '../route-access.js';
import { isPreflight, loadOwnRoutes, nameOf } from './load-own-routes.js';
import { ownRequestHooks, ownRequestOf } from './own-request-hooks.js';
import type { SendCommand } from './send-command.js';

interface OwnRoutesParts {
  readonly connections: Connections;
  readonly authentication: Authentication | undefined;
  readonly deadlineMs: number;
  readonly send: SendCommand;
  readonly callerOf: ((request: FastifyRequest) => Caller) | undefined;
}

/** Adds the routes of the application, guarded and limited as commands are; returns whether commands must pass every hook. */
export async function addOwnRoutes(
  app: FastifyInstance,
  routes: OwnRoutes,
  { connections, authentication, deadlineMs, send, callerOf }: OwnRoutesParts,
): Promise<boolean> {
  decorateRequests(app, callerOf);
  const { begin, answering } = ownRequestHooks(connections, deadlineMs, send);
  const { runsEveryHook } = await loadOwnRoutes(app, routes, (route) => {
    const guards = authentication === undefined ? [] : [routeGuard(authentication, route)];
    route.onRequest = [...guards, begin, ...listOf(route.onRequest)];
    route.onSend = [answering, ...listOf(route.onSend)];
  });
  return runsEveryHook;
}

/** What handlers find on a request. */
export function decorateRequests(app: FastifyInstance, callerOf?: (request: FastifyRequest) => Caller): void {
  app.decorateRequest('correlationId', {
    getter(this: FastifyRequest) {
      return correlationOf(this).correlationId;
    },
  });
  app.decorateRequest('dispatch', function dispatch<
    TResult,
  >(this: FastifyRequest, command: Command, { idempotencyKey }: DispatchOptions = {}): Promise<TResult> {
    const { correlation, cancellation, send } = ownRequestOf(this);
    const key = idempotencyKeyOf({ 'idempotency-key': idempotencyKey });
    const once = key === undefined ? undefined : { key, instance: withoutToken(this.url) };
    return send({ command, correlation, cancellation, caller: callerOf?.(this), once }) as Promise<TResult>;
  });
}

/** A hook of a plugin may declare the permission after this one was added: it is read with the first request. */
function routeGuard(authentication: Authentication, route: RouteOptions): RouteHook {
  let guard: RouteHook | undefined;
  return (request, reply, done) => {
    const { permission = isPreflight(route) ? 'public' : 'authenticated' } = request.routeOptions.config;
    guard ??= guardHook(authentication, permission, { type: nameOf(route) });
    guard(request, reply, done);
  };
}

const listOf = <T>(hooks: T | T[] | undefined): T[] => (hooks === undefined ? [] : ([hooks].flat() as T[]));
