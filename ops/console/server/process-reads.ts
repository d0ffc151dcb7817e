import { invalidParameter, type Query, textParameter } from '../../../endpoints/access/query-parameters.js';
import type { ListedInstance } from '../../../runtime/reactions/process-views.js';
import type { ApiHandler } from './api-handler.js';
import { partOf, throwNotFound } from './host-parts.js';
import { rowsIn, timeIn } from './query-parameters.js';

/** What the service does when something happens; a key may be long and have any characters, so it is the rest of the path. */
export const processReads: Readonly<Record<string, ApiHandler>> = {
  '/processes': (host, { query }) =>
    partOf(host, 'processes').list(
      {
        name: textParameter(query, 'name'),
        state: textParameter(query, 'state'),
        status: statusIn(query),
        key: textParameter(query, 'key'),
      },
      rowsIn(query),
    ),
  '/processes/:name/*': async (host, { params: { name = '', '*': key = '' } }) =>
    (await partOf(host, 'processes').instance(name, key)) ??
    throwNotFound(
      `There is no instance of ${name} with this key: the event that starts it has not been handled, or it ended a week ago.`,
    ),
  '/timers': (host, { query }) =>
    partOf(host, 'processes').timers(timeIn(query, 'due-before'), rowsIn(query)),
  '/reactions': (host, { query }) => partOf(host, 'processes').reactions(rowsIn(query)),
};

export const processParameters: Readonly<Record<string, readonly string[]>> = {
  '/processes': ['name', 'state', 'status', 'key', 'limit'],
  '/timers': ['due-before', 'limit'],
  '/reactions': ['limit'],
};

const statuses = ['running', 'ended', 'retrying', 'parked'] as const satisfies ListedInstance['status'][];

function statusIn(query: Query): ListedInstance['status'] | undefined {
  const given = textParameter(query, 'status');
  const known = statuses.find((status) => status === given);
  if (known !== undefined || given === undefined) return known;
  throw invalidParameter('status', `one of ${statuses.join(', ')}`);
}
