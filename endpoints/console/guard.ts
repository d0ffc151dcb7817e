import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Problem } from '../../contracts/problems.js';

export interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string | undefined;
}

/** On the machine itself only its own names count: a foreign name that leads here is a page that wants to look in. */
export function mustBeOurName({ headers, remoteAddress }: Caller): void {
  if (!isLoopback(remoteAddress ?? '') || isOwnName(hostnameOf(headers.host))) return;
  throw new Problem('access-denied', { detail: 'Open the console as localhost or by an IP address.' });
}

/** Only our own page, or a program that is no browser, may change anything. */
export function mustBeOurPage({ headers }: Caller): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const foreign = origin !== undefined && hostOf(origin) !== host;
  if (!foreign && (site === undefined || site === 'same-origin')) return;
  throw new Problem('access-denied', { detail: 'This is for the console of this host only.' });
}

export function mustBeJson({ headers }: Caller): void {
  if (/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new Problem('unsupported-media-type', { detail: 'Send Content-Type: application/json.' });
}

const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127\.)/.test(address);

const isOwnName = (name: string): boolean => /^(?:.+\.)?localhost$/.test(name) || isIP(name) !== 0;

const hostnameOf = (host: string | undefined): string =>
  URL.canParse(`http://${host ?? ''}`)
    ? new URL(`http://${host ?? ''}`).hostname.replace(/^\[(.*)\]$/, '$1')
    : '';

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;
