import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
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

/**
 * A header that decides where a request goes or who sends it, and that was sent twice. Node keeps the first one; a
 * proxy in front may have used another (RFC 9112, 3.2: 400).
 */
export function duplicateHeaderIn({
  rawHeaders,
}: Pick<IncomingMessage, 'rawHeaders'>): 'Host' | 'Authorization' | undefined {
  let hosts = 0;
  let authorizations = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    // Runs for every header of every request: the length excludes nearly all of them.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
  }
  if (hosts > 1) return 'Host';
  return authorizations > 1 ? 'Authorization' : undefined;
}
