import { STATUS_CODES } from 'node:http';
import { Problem } from '../../contracts/problems.js';

const codes: Readonly<Record<number, string>> = {
  400: 'malformed-request',
  401: 'unauthenticated',
  403: 'access-denied',
  404: 'not-found',
  406: 'not-acceptable',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
};

/**
 * Errors of Fastify and its plugins carry a status. Below 500 their text is meant for clients; any other error reveals
 * nothing.
 */
export function pluginFailure(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error;
  const { statusCode: status } = error as { readonly statusCode?: unknown };
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 499) return error;
  const title = STATUS_CODES[status] ?? 'The request was refused';
  return new Problem(codes[status] ?? 'refused', { status, title, detail: error.message, cause: error });
}
