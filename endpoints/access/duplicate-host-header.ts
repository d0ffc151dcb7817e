import type { IncomingMessage } from 'node:http';

/** Node keeps the first of several; a proxy in front may have gone by the other (RFC 9112, 3.2: 400). */
export function hasDuplicateHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? '')) found++;
  return found > 1;
}

/** Asked of every header of every request: nearly none is as long. */
const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host';
