import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../contracts/problems.js';
import type { Correlation } from './correlation.js';

declare module 'fastify' {
  interface FastifyInstance {
    observer?: AnswerObserver | undefined;
  }
}

export interface AnsweredRequest {
  readonly request: FastifyRequest;
  readonly correlation: Pick<Correlation, 'messageId' | 'correlationId' | 'traceparent'>;
  /** Its registered route, where that is known: asking the framework for it costs more. */
  readonly route?: string | undefined;
  readonly status: number;
  readonly seconds: number;
  /** Absent when it is answered with a result, also with a stored one. */
  readonly problem?: Problem | undefined;
  /** Whether it had a lifecycle, which was observed. */
  readonly isRecorded: boolean;
  /** The command of a GraphQL field or a tool, which is a request of its own. */
  readonly field?: string;
}

/** Observes commands that are answered, and every request that is refused. */
export interface AnswerObserver {
  left(answered: AnsweredRequest): void;
}

const longestPath = 100;

/** A client chooses the path of a request that has no route: it is cut, and its query is left out. */
export function commandOf({ method, url, is404, routeOptions }: FastifyRequest): string {
  const { command } = (routeOptions.config ?? {}) as { readonly command?: string };
  if (command !== undefined) return command;
  const path = is404 ? (url.split('?', 1)[0] ?? '').slice(0, longestPath) : (routeOptions.url ?? '');
  return `${method} ${path}`;
}

const hostPage = /^\/(?:health|metrics|console|inspect|machines)(?:[/?]|$)/;

/** Whether a URL is that of a page or probe by which a host is watched; `/health-records` belongs to the service. */
export const isHostPage = (url: string): boolean => hostPage.test(url);
