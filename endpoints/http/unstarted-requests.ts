import type { FastifyRequest } from 'fastify';
import type { TransportName } from '../../contracts/mutation-context.js';
import type { Problem } from '../../contracts/problems.js';
import type { Correlation } from './correlation.js';
import { isHostPage } from './host-pages.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by a host that keeps request records. */
    observeUnstarted?: ObserveUnstarted | undefined;
  }
}

/** A request that was answered without a lifecycle: refused before it, or with the stored answer of an earlier one. */
export interface UnstartedRequest {
  readonly correlation: Pick<Correlation, 'messageId' | 'correlationId' | 'traceparent'>;
  /** The command; for others, method and route. */
  readonly command: string;
  readonly transport: TransportName;
  readonly status: number;
  /** Absent when a stored answer was repeated. */
  readonly problem?: Problem;
}

export type ObserveUnstarted = (request: UnstartedRequest) => void;

/** Records a refusal, if the host keeps request records: what watches a host is not what is watched. */
export function observeRefused(request: FastifyRequest, correlation: Correlation, problem: Problem): void {
  const { server, url, routeOptions } = request;
  if (server.observeUnstarted === undefined || isHostPage(url)) return;
  const command = commandOf(request);
  const transport = routeOptions.url === '/graphql' ? 'graphql' : 'rest';
  server.observeUnstarted({ correlation, command, transport, status: problem.status, problem });
}

/** Records that a stored answer was repeated. */
export function observeReplayed(request: FastifyRequest, correlation: Correlation, status: number): void {
  const command = commandOf(request);
  request.server.observeUnstarted?.({ correlation, command, transport: 'rest', status });
}

const longestPath = 100;

/** A client chooses the path of a request that has no route: it is cut, and its query is left out. */
function commandOf({ method, url, is404, routeOptions }: FastifyRequest): string {
  const { command } = (routeOptions.config ?? {}) as { readonly command?: string };
  if (command !== undefined) return command;
  const path = is404 ? (url.split('?', 1)[0] ?? '').slice(0, longestPath) : (routeOptions.url ?? '');
  return `${method} ${path}`;
}
