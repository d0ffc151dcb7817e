import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LiveModels } from '../../runtime/live/live-models.js';
import type { Authentication } from '../access/authentication.js';
import { type Connections, mustHaveOwnConnection } from '../http/connections.js';
import type { Correlation } from '../http/correlation.js';
import { eventStream } from '../http/media-types.js';
import { securityHeaders } from '../security-headers.js';
import { checkAgain } from './check-again.js';
import type { LiveStreams } from './live-streams.js';
import { plainFormat, type StreamFormat } from './stream-format.js';
import type { Asked, WatchedPerspective } from './watched-perspective.js';

export interface StreamPorts {
  readonly models: LiveModels;
  readonly streams: LiveStreams;
  readonly authentication?: Authentication | undefined;
}

/** A request whose answer becomes a stream. */
interface StreamRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly correlation: Correlation;
  readonly connections: Connections;
}

/** Throws when there are too many streams; otherwise the connection belongs to the stream from here on. */
export function openStream(
  { models, streams, authentication }: StreamPorts,
  { request, reply, correlation, connections }: StreamRequest,
  watched: WatchedPerspective,
  asked: Asked,
  format: StreamFormat = plainFormat,
): void {
  mustHaveOwnConnection(reply);
  const check = checkAgain(authentication, watched.perspective, request);
  const stream = streams.open(request, reply.raw, check, format);
  const name = streams.callerOf(request);
  const watcher = watched.watcher(request.identity, asked, { name, send: (message) => stream.send(message) });
  const watching = models.watch(watched.rules, watcher);
  reply.hijack();
  connections.watches(request.raw.socket);
  stream.start(headersOf(reply, correlation), watching);
}

/** What hooks have set, such as the headers of CORS, is sent too. */
const headersOf = (
  reply: FastifyReply,
  { correlationId, traceparent }: Correlation,
): OutgoingHttpHeaders => ({
  ...securityHeaders,
  ...(reply.getHeaders() as OutgoingHttpHeaders),
  'x-correlation-id': correlationId,
  traceparent,
  'content-type': `${eventStream}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
});
