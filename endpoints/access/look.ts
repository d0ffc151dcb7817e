import type { FastifyRequest } from 'fastify';
import { type Query, textIn } from './query-text.js';
import { type Access, lookRefusalOf } from './access.js';

/** Lets a request through that may look; a token in its address counts, where no header can be sent. */
export const mayLookAt =
  (access: Access) =>
  ({ headers, socket: { remoteAddress }, query }: FastifyRequest): void => {
    const queryToken = textIn(query as Query, 't');
    const refusal = lookRefusalOf({ remoteAddress, headers, queryToken }, access);
    if (refusal !== undefined) throw refusal;
  };
