import type { FastifyRequest } from 'fastify';
import { type Query, textParameter } from './query-parameters.js';
import { type Access, observerRefusalOf } from './access.js';

/** Refuses a request that may not observe; a token in the URL counts, for clients that cannot send a header. */
export const requireObserver =
  (access: Access) =>
  ({ headers, socket: { remoteAddress }, query }: FastifyRequest): void => {
    const queryToken = textParameter(query as Query, 't');
    const refusal = observerRefusalOf({ remoteAddress, headers, queryToken }, access);
    if (refusal !== undefined) throw refusal;
  };
