import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';

/** Why a request to a host that serves this machine alone is not from it; the headers decide, the connection says nothing. */
export function nonLocalRefusalOf(headers: IncomingHttpHeaders): Problem | undefined {
  const { host } = headers;
  // Browsers always send one; only a browser can be led here by a name that was rebound.
  if (host !== undefined && !isLoopbackHost(host)) return misdirected();
  return isForwarded(headers) ? new Problem('access-denied', { detail: forwardedDetail }) : undefined;
}

/** Names of this machine, with any port. */
export function isLoopbackHost(host: string): boolean {
  if (host === lastLoopbackHost) return true;
  if (!loopbackHost.test(host)) return false;
  lastLoopbackHost = host;
  return true;
}

/** Nearly every request names the same host as the one before. */
let lastLoopbackHost = 'localhost';

const loopbackHost =
  /^(?:localhost|[a-z\d.-]{1,200}\.localhost|127(?:\.\d{1,3}){3}|\[(?:::1|::ffff:127(?:\.\d{1,3}){3})\])(?::\d{1,5})?$/i;

/** Of a connection, as Node names it. */
export const isLoopbackAddress = (address: string): boolean =>
  /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/.test(address);

/** What a proxy passes on comes from elsewhere, wherever the proxy runs. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  // Every request is asked: looking at the names it has is faster than looking for each that it might have.
  for (const name in headers) if (firstLetters.has(name.charCodeAt(0)) && forwarding.test(name)) return true;
  return false;
}

const forwarding = /^(?:x-forwarded(?:-.*)?|forwarded|x-real-ip|via)$/;
const firstLetters = new Set(['x', 'f', 'v'].map((letter) => letter.charCodeAt(0)));

const misdirected = (): Problem =>
  new Problem('misdirected', {
    detail:
      'This host answers to localhost and loopback addresses only; behind a proxy that decides who may ask, start it with SVC_AUTH=none.',
  });

const forwardedDetail =
  'This host serves its own machine only, and a proxy passed the request on; if that proxy decides who may ask, start the host with SVC_AUTH=none.';
