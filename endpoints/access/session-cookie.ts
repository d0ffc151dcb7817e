import type { IncomingHttpHeaders } from 'node:http';

/** Browsers refuse a cookie of more than 4,096 bytes. */
const maxCookie = 3_900;

/** The credential that a browser got by signing in; it is checked like one in a header, on every request. */
export function sessionIn(headers: IncomingHttpHeaders): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  const start = `${nameFor(headers)}=`;
  const found = cookie.split(';').find((pair) => pair.trimStart().startsWith(start));
  return found === undefined ? undefined : decoded(found.trim().slice(start.length));
}

/** A `Set-Cookie` header that keeps a credential until the browser is closed; undefined if it is too long for one. */
export function sessionCookie(
  headers: IncomingHttpHeaders,
  credential: string,
  isEncrypted: boolean,
): string | undefined {
  const pair = `${nameFor(headers)}=${encodeURIComponent(credential)}`;
  return pair.length > maxCookie ? undefined : `${pair}; ${attributes}${isEncrypted ? '; Secure' : ''}`;
}

export const expiredCookie = (headers: IncomingHttpHeaders): string =>
  `${nameFor(headers)}=; ${attributes}; Max-Age=0`;

const attributes = 'Path=/; HttpOnly; SameSite=Strict';

/** All ports of a host share their cookies: the name has the port, for several services on one machine. */
const nameFor = ({ host = '' }: IncomingHttpHeaders): string =>
  `svc-session${/:\d{1,5}$/.exec(host)?.[0].replace(':', '-') ?? ''}`;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text) || undefined;
  } catch {
    return undefined;
  }
}
