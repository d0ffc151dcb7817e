import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../contracts/problems.js';
import { strayOf } from './local.js';

/** What a route says of itself in its `config`. */
export interface DoorMark {
  /** It takes tokens, and decides by itself who may come in. */
  readonly hasOwnDoor?: boolean;
  readonly isProbe?: boolean;
}

/** Why a host that serves this machine alone refuses a request; a proxy in front may ask for its health. */
export function strayRefusalOf(request: FastifyRequest): Problem | undefined {
  const stray = strayOf(request.headers);
  if (stray === undefined) return undefined;
  const { hasOwnDoor = false, isProbe = false } = (request.routeOptions.config ?? {}) as DoorMark;
  return hasOwnDoor || (isProbe && stray.code !== 'misdirected') ? undefined : stray;
}
