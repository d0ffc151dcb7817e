import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { duplicateHeaderIn } from '../http/duplicate-headers.js';
import type { RouteAccess } from '../route-access.js';
import { nonLocalRefusalOf } from './local-requests.js';

/** Why a request is refused by its headers alone, whatever its route. */
export function headerRefusalOf(request: FastifyRequest, localOnly: boolean): Problem | undefined {
  const duplicate = duplicateHeaderIn(request.raw);
  if (duplicate !== undefined)
    return new Problem('malformed-request', { detail: `Send one ${duplicate} header.` });
  const { 'transfer-encoding': coding } = request.headers;
  // Node reads the chunks and leaves the content compressed.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return new Problem('malformed-request', { detail: 'The only supported Transfer-Encoding is chunked.' });
  return localOnly ? localOnlyRefusalOf(request) : undefined;
}

/** Why a host that serves only this machine refuses a request; a load balancer may probe it by any address. */
function localOnlyRefusalOf(request: FastifyRequest): Problem | undefined {
  const stray = nonLocalRefusalOf(request.headers);
  if (stray === undefined) return undefined;
  const { checksAccess = false, isOpen = false } = (request.routeOptions.config ?? {}) as RouteAccess;
  return checksAccess || isOpen ? undefined : stray;
}
