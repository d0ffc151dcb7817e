import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { hasSeveralHosts } from './host-header.js';
import { strayOf } from './local.js';

/** What a route says of itself in its `config`. */
export interface DoorMark {
  /** It takes tokens, and decides by itself who may come in. */
  readonly hasOwnDoor?: boolean;
  readonly isProbe?: boolean;
}

/** Why a request is refused by its headers alone, whatever it asks for. */
export function doorRefusalOf(request: FastifyRequest, localOnly: boolean): Problem | undefined {
  if (hasSeveralHosts(request.raw))
    return new Problem('malformed-request', { detail: 'Send one Host header.' });
  return localOnly ? strayRefusalOf(request) : undefined;
}

/** Why a host that serves this machine alone refuses a request; a proxy in front may ask for its health. */
function strayRefusalOf(request: FastifyRequest): Problem | undefined {
  const stray = strayOf(request.headers);
  if (stray === undefined) return undefined;
  const { hasOwnDoor = false, isProbe = false } = (request.routeOptions.config ?? {}) as DoorMark;
  return hasOwnDoor || (isProbe && stray.code !== 'misdirected') ? undefined : stray;
}
