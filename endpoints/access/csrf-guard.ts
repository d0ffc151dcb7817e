import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';
import { saysJson } from '../http/read-json-body.js';

interface Caller {
  readonly headers: IncomingHttpHeaders;
}

/** Only a page of the host itself, or a program that is not a browser, may change anything. */
export function mustBeSameOrigin({ headers }: Caller): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  // The browser's own header counts more than a Host header that a proxy may have rewritten.
  const ours = site === undefined ? origin === undefined || hostOf(origin) === host : site === 'same-origin';
  if (!ours) throw notFromPage();
}

/** The same, unless CORS lets the very origin of the request read the answer, or every origin. */
export function mustBeOfAllowedOrigin(caller: Caller, allowed: unknown): void {
  const isAllowed = allowed === '*' || (allowed !== undefined && allowed === caller.headers.origin);
  if (!isAllowed) mustBeSameOrigin(caller);
}

/**
 * A browser sends a cookie by itself: with one, a request that changes anything must prove that a page of this host
 * sends it, and any request that names its origin must name ours.
 */
export function mustComeFromPage(method: string, caller: Caller): void {
  const { origin, 'sec-fetch-site': site } = caller.headers;
  const isRead = method === 'GET' || method === 'HEAD';
  if (origin !== undefined || (!isRead && site !== undefined)) mustBeSameOrigin(caller);
  else if (!isRead) throw notFromPage();
}

/** A form of another site cannot send JSON as its content type. */
export function mustSendJson({ headers }: Caller): void {
  if (saysJson(headers['content-type'])) return;
  throw new Problem('unsupported-media-type', { detail: 'Send Content-Type: application/json.' });
}

const notFromPage = (): Problem =>
  new Problem('access-denied', { detail: 'Only a page of this host may do this.' });

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;
