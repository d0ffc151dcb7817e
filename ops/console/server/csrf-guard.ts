import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../../contracts/problems.js';
import { saysJson } from '../../../endpoints/http/body.js';

interface Caller {
  readonly headers: IncomingHttpHeaders;
}

/** Only the console's own page, or a program that is not a browser, may change anything. */
export function mustBeSameOrigin({ headers }: Caller): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  // The browser's own header counts more than a Host header that a proxy may have rewritten.
  const ours = site === undefined ? origin === undefined || hostOf(origin) === host : site === 'same-origin';
  if (ours) return;
  throw new Problem('access-denied', { detail: 'This is for the console of this host only.' });
}

/** A form of another site cannot send JSON as its content type. */
export function mustSendJson({ headers }: Caller): void {
  if (saysJson(headers['content-type'])) return;
  throw new Problem('unsupported-media-type', { detail: 'Send Content-Type: application/json.' });
}

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;
