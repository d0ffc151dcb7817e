import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';

/** Why a request does not come from this machine; the headers decide, because the connection proves nothing. */
export function nonLocalRefusalOf(headers: IncomingHttpHeaders): Problem | undefined {
  const { host } = headers;
  // Browsers always send a Host header, and only a browser can be led here by a rebound name.
  if (host !== undefined && !isLoopbackHost(host)) return misdirected();
  return isForwarded(headers) ? new Problem('access-denied', { detail: forwardedDetail }) : undefined;
}

/** Whether a host name, with any port, is one of this machine. */
export function isLoopbackHost(host: string): boolean {
  if (host === lastLoopbackHost) return true;
  if (!loopbackHost.test(host)) return false;
  lastLoopbackHost = host;
  return true;
}

/** Nearly every request has the same Host header as the one before. */
let lastLoopbackHost = 'localhost';

const loopbackHost =
  /^(?:localhost|[a-z\d.-]{1,200}\.localhost|127(?:\.\d{1,3}){3}|\[(?:::1|::ffff:127(?:\.\d{1,3}){3})\])(?::\d{1,5})?$/i;

/** The address of a connection, in Node's form. */
export const isLoopbackAddress = (address: string): boolean =>
  /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/.test(address);

/** A forwarded request comes from elsewhere, wherever the proxy runs. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  // This runs for every request: checking the names that are present is faster than looking up each possible name.
  for (const name in headers) if (firstLetters.has(name.charCodeAt(0)) && forwarding.test(name)) return true;
  return false;
}

const forwarding = /^(?:x-forwarded(?:-.*)?|forwarded|x-real-ip|via)$/;
const firstLetters = new Set(['x', 'f', 'v'].map((letter) => letter.charCodeAt(0)));

const misdirected = (): Problem =>
  new Problem('misdirected', {
    detail:
      'This host answers to localhost and loopback addresses only; behind a proxy that controls access, start it with SVC_AUTH=none.',
  });

const forwardedDetail =
  'This host serves its own machine only, and a proxy forwarded the request; if that proxy controls access, start the host with SVC_AUTH=none.';
