import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { Problem } from '../../contracts/problems.js';
import { problemOf } from '../problem.js';
import { answerBrokenRequest } from '../http/http-failures.js';
import { takeWebSockets } from './accept-websockets.js';
import { type Access, closedAccess } from '../access/access.js';
import { whileAllowed } from '../access/open-visit.js';
import { type Visit, visitorOf } from '../access/visitor.js';
import type { FrameSource } from '../inspection/inspection-feed.js';
import { InspectorClient } from './inspector-client.js';

export interface InspectorOptions {
  readonly access?: Access;
  /** How many inspectors may attach (default 32). */
  readonly clients?: number;
  /** Where a browser that opens the address is sent. */
  readonly page?: string;
  /** How many bytes may wait for one of them (default 1 MiB). */
  readonly bufferBytes?: number;
  /** How often a client must show that it is alive (default 15 s). */
  readonly heartbeatMs?: number;
}

const maxMessageBytes = 4096;

/**
 * WebSocket `/inspect`: recorded frames, then new ones, of all hosts or of `?host=`, in Stately's inspection
 * protocol.
 */
export class Inspector {
  readonly #clients = new Set<InspectorClient>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // Pongs to a client that does not read would pile up.
    autoPong: false,
    clientTracking: false,
  });
  readonly #heartbeat: NodeJS.Timeout;
  #stopped = false;

  constructor(
    private readonly source: FrameSource,
    private readonly options: InspectorOptions = {},
  ) {
    this.#heartbeat = setInterval(() => {
      for (const client of this.#clients) client.mustBeAlive();
    }, options.heartbeatMs ?? 15_000).unref();
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** A route addition. */
  readonly route = (app: FastifyInstance): void => {
    app.get('/inspect', (request, reply) => {
      const { page } = this.options;
      if (page !== undefined && request.headers.accept?.includes('text/html') === true)
        return reply.redirect(page);
      throw new Problem('upgrade-required', { headers: { upgrade: 'websocket', connection: 'upgrade' } });
    });
    takeWebSockets(app.server, '/inspect', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      const refuse = (error: unknown) => answerBrokenRequest(problemOf(error), socket);
      this.#mayLook(request).then(() => {
        const refusal = this.#refusalOf(request);
        if (refusal !== undefined) return refuse(refusal);
        this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#attach(opened, socket, request));
      }, refuse);
    });
  };

  /** Disconnects all inspectors; an open connection would keep the server from draining. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#heartbeat);
    for (const client of this.#clients) client.disconnect();
  }

  /** Throws why the sender of a request may not look. */
  async #mayLook(request: IncomingMessage): Promise<void> {
    const { access = closedAccess } = this.options;
    await visitorOf(visitIn(request), access, 'observe', resource);
  }

  #refusalOf(request: IncomingMessage): Problem | undefined {
    if (this.#stopped) return new Problem('draining');
    const host = hostIn(request);
    if (host !== undefined && !this.source.has(host)) {
      return new Problem('not-found', { detail: 'There is no such host.' });
    }
    const { clients = 32 } = this.options;
    if (this.#clients.size < clients) return undefined;
    return new Problem('overloaded', {
      detail: `${clients} inspectors are already attached.`,
      retryAfter: 5,
    });
  }

  #attach(opened: WebSocket, socket: Duplex, request: IncomingMessage): void {
    const { bufferBytes = 1 << 20, access = closedAccess } = this.options;
    const client = new InspectorClient(opened, socket, this.source, hostIn(request), bufferBytes);
    this.#clients.add(client);
    const end = () => opened.close(policyViolation, 'The credentials are no longer valid.');
    const stop = whileAllowed(visitIn(request), access, resource, end);
    opened.once('close', () => {
      stop();
      this.#clients.delete(client);
    });
  }
}

const resource = { type: 'inspector' };
/** A close code of RFC 6455. */
const policyViolation = 1008;

const visitIn = (request: IncomingMessage): Visit => {
  const { method = 'GET', url = '', headers, socket } = request;
  return { method, url, headers, socket, queryToken: queryOf(request).get('t') ?? undefined };
};

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URL(url, 'http://localhost').searchParams;

const hostIn = (request: IncomingMessage): string | undefined => queryOf(request).get('host') || undefined;
