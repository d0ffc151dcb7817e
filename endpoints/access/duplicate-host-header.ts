import type { IncomingMessage } from 'node:http';

/** Node keeps the first of several Host headers; a proxy in front may have used another (RFC 9112, 3.2: 400). */
export function hasDuplicateHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? '')) found++;
  return found > 1;
}

/** Runs for every header of every request: the length excludes nearly all of them. */
const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host';
