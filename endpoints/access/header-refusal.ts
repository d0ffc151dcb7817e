import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { hasDuplicateHost } from './duplicate-host-header.js';
import { nonLocalRefusalOf } from './local-requests.js';

/** What a route says of itself in its `config`. */
export interface RouteAccess {
  /** It takes tokens, and decides by itself who may come in. */
  readonly checksAccess?: boolean;
  readonly isProbe?: boolean;
}

/** Why a request is refused by its headers alone, whatever it asks for. */
export function headerRefusalOf(request: FastifyRequest, localOnly: boolean): Problem | undefined {
  if (hasDuplicateHost(request.raw))
    return new Problem('malformed-request', { detail: 'Send one Host header.' });
  return localOnly ? localOnlyRefusalOf(request) : undefined;
}

/** Why a host that serves this machine alone refuses a request; a proxy in front may ask for its health. */
function localOnlyRefusalOf(request: FastifyRequest): Problem | undefined {
  const stray = nonLocalRefusalOf(request.headers);
  if (stray === undefined) return undefined;
  const { checksAccess = false, isProbe = false } = (request.routeOptions.config ?? {}) as RouteAccess;
  return checksAccess || (isProbe && stray.code !== 'misdirected') ? undefined : stray;
}
