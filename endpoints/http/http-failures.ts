import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import { problemBody, problemHeaders } from '../problem.js';
import { clientGone, type Connections, whenAnswered } from './connections.js';

const byCode: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('body-too-large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem('unsupported-media-type', { detail: 'Send Content-Type: application/json.' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem('malformed-json', { detail: 'The body is shorter or longer than its Content-Length.' }),
  FST_ERR_BAD_URL: () => new Problem('not-found'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem('not-found'),
  FST_ERR_ASYNC_CONSTRAINT: () => new Problem('not-found'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new Problem('request-timeout'),
  HPE_HEADER_OVERFLOW: () => new Problem('headers-too-large'),
};

export function httpFailure(error: unknown): unknown {
  if (isCutOff(error)) return clientGone();
  return byCode[codeOf(error)]?.() ?? error;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Node's error for a body whose connection has closed; resets of other connections read differently. */
const isCutOff = (error: unknown): boolean =>
  codeOf(error) === 'ECONNRESET' && (error as Error).message === 'aborted';

/** Answers invalid requests, after the answers to earlier requests on the same connection. */
export function brokenRequests(connections: () => Connections): (error: Error, socket: Socket) => void {
  // What follows a broken request is broken too: answer once.
  const waiting = new WeakSet<Socket>();
  return (error, socket) => {
    // A complete request that arrived just before is registered only then.
    setImmediate(() => {
      if (connections().breakAfterPending(socket) || waiting.has(socket)) return;
      waiting.add(socket);
      if (!socket.writable) answerBrokenRequest(error, socket);
      else whenAnswered(socket, () => answerBrokenRequest(error, socket));
    });
  };
}

export function answerBrokenRequest(error: Error, socket: Duplex): void {
  if (!socket.writable || codeOf(error) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const known = httpFailure(error);
  const problem = known instanceof Problem ? known : new Problem('malformed-request');
  const body = problemBody(problem, '', newUuid());
  const headers = {
    ...problemHeaders(problem),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`,
  );
}
