import { wholeNumberIn } from './query-parameters.js';
import type { ApiHandler } from './api-handler.js';
import { numberOf, partOf, throwNotFound } from './host-parts.js';

const missing = (streamId: string): never => throwNotFound(`There is no stream ${streamId}.`);

/** Streams, their events, and the rows of perspectives at each. */
export const streamReads: Readonly<Record<string, ApiHandler>> = {
  '/streams': (host) => partOf(host, 'streams').latest(),
  '/streams/:id': async (host, { params: { id = '' }, query }) =>
    (await partOf(host, 'streams').events(id, wholeNumberIn(query, 'after', Number.MAX_SAFE_INTEGER) ?? 0)) ??
    missing(id),
  '/streams/:id/:position': async (host, { params: { id = '', position = '' } }) =>
    (await partOf(host, 'streams').step(id, numberOf(position))) ??
    throwNotFound(`There is no event ${position} in the stream ${id}.`),
};
