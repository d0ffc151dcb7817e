import type { IncomingMessage } from 'node:http';

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
