import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';
import { type Authentication, guardHook } from '../access/authentication.js';
import { correlationOf } from '../http/correlation.js';
import { waitOf } from '../http/prefer-wait.js';
import { sendProblem } from '../http/reply.js';
import type { RequestDurations } from '../http/request-durations.js';
import type { FoundInstance, ProcessReads } from './process-reads.js';

interface Ports {
  readonly authentication: Authentication | undefined;
  /** Who sends a request, to limit how much one caller may wait for. */
  readonly callerOf: (request: FastifyRequest) => string;
}

/** `GET <route>/{key}` of every process that has a route. */
export interface ProcessRoutes {
  add(app: FastifyInstance, server: { readonly times: RequestDurations }): void;
}

export function processRoutes(processes: readonly ProcessReads[], ports: Ports): ProcessRoutes {
  const room = new WaitingRoom();
  return {
    add: (app, { times }) => {
      for (const reads of processes) addRoute(app, reads, { ...ports, room, times });
    },
  };
}

function addRoute(
  app: FastifyInstance,
  reads: ProcessReads,
  ports: Ports & { readonly room: WaitingRoom; readonly times: RequestDurations },
): void {
  const { authentication } = ports;
  const { name, route, permission } = reads.process;
  const url = `${route}/:key`;
  const filter = ScopeFilters.Tenant;
  const guards =
    authentication === undefined ? [] : [guardHook(authentication, permission, { type: name }, { filter })];
  app.get(url, { exposeHeadRoute: false, onRequest: guards }, async (request, reply) => {
    const correlation = correlationOf(request);
    try {
      const until = reads.statesIn(request.url);
      const wait = waitOf(request.headers);
      const { key } = request.params as { readonly key: string };
      const found =
        wait === undefined || wait === 0
          ? await reads.find(key, request.identity, until, AbortSignal.abort())
          : await waiting(request, reply, wait, ports, (ending) =>
              reads.find(key, request.identity, until, ending),
            );
      if (found === undefined)
        throw new Problem('not-found', { detail: `${name} has no instance ${JSON.stringify(key)}.` });
      reply.headers({
        'x-correlation-id': correlation.correlationId,
        traceparent: correlation.traceparent,
        'cache-control': 'private, no-store',
        ...(wait === undefined ? {} : { 'preference-applied': `wait=${wait}` }),
      });
      await reply
        .code(found.isReached ? 200 : 202)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(found.instance));
    } catch (error) {
      sendProblem(request, reply, correlation, error);
    }
    return reply;
  });
}

/** Ends with the time, or when the client has left. The duration of the request leaves out this time. */
async function waiting(
  request: FastifyRequest,
  reply: FastifyReply,
  seconds: number,
  { room, times, callerOf }: Ports & { readonly room: WaitingRoom; readonly times: RequestDurations },
  find: (ending: AbortSignal) => Promise<FoundInstance | undefined>,
): Promise<FoundInstance | undefined> {
  const leave = room.enter(callerOf(request));
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, seconds * 1000);
  const before = reply.elapsedTime;
  reply.raw.once('close', end);
  try {
    return await find(ending.signal);
  } finally {
    clearTimeout(timer);
    leave();
    times.waited(reply, reply.elapsedTime - before);
  }
}

const maxWaiting = 1_000;
/** One caller may have a fifth of the room. */
const maxOfCaller = 200;

class WaitingRoom {
  readonly #byCaller = new Map<string, number>();
  #all = 0;

  /** Returns how to leave. Throws when there are too many. */
  enter(caller: string): () => void {
    const own = this.#byCaller.get(caller) ?? 0;
    if (this.#all >= maxWaiting)
      throw new Problem('overloaded', {
        detail: 'Too many clients wait for processes on this host; try again later.',
        retryAfter: 10,
      });
    if (own >= maxOfCaller)
      throw new Problem('rate-limited', {
        detail: `You wait for ${maxOfCaller} processes already; end one of these requests.`,
        retryAfter: 10,
      });
    this.#all++;
    this.#byCaller.set(caller, own + 1);
    return () => {
      this.#all--;
      const left = (this.#byCaller.get(caller) ?? 1) - 1;
      if (left === 0) this.#byCaller.delete(caller);
      else this.#byCaller.set(caller, left);
    };
  }
}
