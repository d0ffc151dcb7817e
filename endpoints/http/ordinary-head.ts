import { ServerResponse } from 'node:http';
import { securityHeaderList } from '../security-headers.js';
import type { Correlation } from './correlation.js';

/** How long a connection may be silent between two requests. */
export const keepAliveMs = 72_000;

/** Where Node keeps the text of a head until the body is sent. */
interface Headed extends ServerResponse {
  _header?: string | null;
}

/** The headers that are the same in every ordinary answer. */
const fixed = [...securityHeaderList, 'content-type', 'application/json; charset=utf-8']
  .map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  .join('');
const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;

let ending = '';
let from = Infinity;

/** The last lines of a head, which are the same for a second. */
function endingAt(now: number): string {
  // The clock may also be set back.
  if (now < from || now >= from + 1_000) {
    ending = `\r\nDate: ${new Date(now).toUTCString()}\r\n${keepAlive}\r\n`;
    from = now - (now % 1_000);
  }
  return ending;
}

const nodesWriteHead: unknown = Reflect.get(ServerResponse.prototype, 'writeHead');

/**
 * Writes the head of a 200 as one text: Node would check each name and value with a regular expression, and these are
 * constants, or ids that were checked when they came. Returns false where Node must decide: the connection closes after
 * this answer, other code has replaced `writeHead`, or this version of Node keeps heads elsewhere.
 */
export function writeOrdinaryHead(
  response: Headed,
  { correlationId, traceparent }: Pick<Correlation, 'correlationId' | 'traceparent'>,
  length: number,
  now: number = Date.now(),
): boolean {
  const { shouldKeepAlive, _header: written }: Headed = response;
  if (!shouldKeepAlive || written !== null || Reflect.get(response, 'writeHead') !== nodesWriteHead)
    return false;
  response.statusCode = 200;
  const head = `HTTP/1.1 200 OK\r\nx-correlation-id: ${correlationId}\r\ntraceparent: ${traceparent}\r\n${fixed}content-length: ${length}${endingAt(now)}`;
  Object.assign(response, { _header: head });
  return true;
}
