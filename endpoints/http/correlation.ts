import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { carriedTraceState } from '../../runtime/tracing/trace-state.js';
import { asCurrentTraceparent, traceparentFrom } from '../../runtime/tracing/traceparent.js';
import { isTraced, startSpan, type TraceSpan } from '../../runtime/tracing/tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    correlation?: Correlation;
  }
}

export interface Correlation {
  readonly messageId: Uuid;
  readonly correlationId: string;
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  readonly span?: TraceSpan | undefined;
}

/** What keeps its correlation: everything that is recorded about one request has the same ids. */
export interface Correlated {
  readonly headers: IncomingHttpHeaders;
  correlation?: Correlation;
}

/** The correlation and trace ids of a request: its own when they are well formed, otherwise new ones. */
export const correlationOf = (request: Correlated): Correlation =>
  (request.correlation ??= correlationIn(request.headers));

export function correlationIn(headers: IncomingHttpHeaders): Correlation {
  const messageId = newUuid();
  const given = headers['x-correlation-id'];
  const trace = headers['traceparent'];
  const traceparent = typeof trace === 'string' ? asCurrentTraceparent(trace) : undefined;
  const state = headers['tracestate'];
  return {
    messageId,
    correlationId: typeof given === 'string' && correlationPattern.test(given) ? given : messageId,
    traceparent: traceparent ?? traceparentFrom(messageId),
    tracestate: traceparent !== undefined && typeof state === 'string' ? carriedTraceState(state) : undefined,
  };
}

/** As above, with the request's own span when the application traces: its trace continues from there. */
export function tracedCorrelationOf(request: FastifyRequest): Correlation {
  const { headers } = request;
  const correlation = correlationOf(request);
  if (!isTraced()) return correlation;
  const { method, routeOptions } = request;
  const route = routeOptions.url ?? '';
  const given = { traceparent: textOf(headers['traceparent']), tracestate: textOf(headers['tracestate']) };
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'svc.correlation_id': correlation.correlationId,
  };
  const span = startSpan(`${method} ${route}`, 'server', given, attributes);
  return span === undefined ? correlation : { ...correlation, traceparent: span.traceparent, span };
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

const correlationPattern = /^[\x21-\x7e]{1,128}$/;
