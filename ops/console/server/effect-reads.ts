import { isUuid } from '../../../contracts/scalars.js';
import { textParameter } from '../../../endpoints/access/query-parameters.js';
import type { ApiHandler } from './api-handler.js';
import { partOf, throwNotFound } from './host-parts.js';
import { rowsIn } from './query-parameters.js';

export const effectReads: Readonly<Record<string, ApiHandler>> = {
  '/effects': (host, { query }) => partOf(host, 'effects').page(textParameter(query, 'name'), rowsIn(query)),
  '/effects/:id': async (host, { params: { id = '' } }) =>
    (isUuid(id) ? await partOf(host, 'effects').request(id) : undefined) ??
    throwNotFound('There is no such request: it has ended, was cancelled, or never was.'),
};

export const effectParameters: Readonly<Record<string, readonly string[]>> = {
  '/effects': ['name', 'limit'],
};
