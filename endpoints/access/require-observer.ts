import type { FastifyRequest } from 'fastify';
import { type Query, textParameter } from './query-parameters.js';
import { type Access, observerRefusalOf } from './access.js';

/** Lets a request through that may look; a token in its address counts, where no header can be sent. */
export const requireObserver =
  (access: Access) =>
  ({ headers, socket: { remoteAddress }, query }: FastifyRequest): void => {
    const queryToken = textParameter(query as Query, 't');
    const refusal = observerRefusalOf({ remoteAddress, headers, queryToken }, access);
    if (refusal !== undefined) throw refusal;
  };
