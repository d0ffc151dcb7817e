import { isUuid } from '../../../contracts/scalars.js';
import type { ActedBy } from '../model/acted-by.js';
import { actedBy, invalidBody, memberOf, textIn } from './action-body.js';
import type { ApiHandler, ApiRequest } from './api-handler.js';
import { notFound, partOf } from './host-parts.js';

const longestKey = 1_024;

/** What operators do about keys set aside, parked instances and timers; the store records who and why. */
export const processActions: Readonly<Record<string, ApiHandler>> = {
  '/reactions/:name/release': async (host, asked) => {
    const { name = '' } = asked.params;
    const key = textIn(asked.body, 'key', longestKey);
    const released = await partOf(host, 'processes').release(name, key, actedBy(asked));
    if (released > 0) return { released };
    throw notFound(key === undefined ? `${name} has no parked keys.` : `${name} has not parked this key.`);
  },
  '/reactions/:name/skip': async (host, asked) => {
    const { name = '' } = asked.params;
    const key = textIn(asked.body, 'key', longestKey);
    const position = memberOf(asked.body, 'position');
    const by = actedBy(asked);
    if (key === undefined || !Number.isSafeInteger(position))
      throw invalidBody('The key and the position of the event are required.');
    if (by.reason === undefined) throw invalidBody('A reason is required.');
    if (await partOf(host, 'processes').skip(name, key, Number(position), by)) return { skipped: position };
    throw notFound(`${name} has not parked this key at this event.`);
  },
  '/processes/:name/retry': async (host, asked) => {
    const { name = '' } = asked.params;
    const key = textIn(asked.body, 'key', longestKey);
    if (key === undefined) throw invalidBody('The key of the instance is required.');
    if (await partOf(host, 'processes').retry(name, key, actedBy(asked))) return { retrying: key };
    throw notFound(`${name} has no parked instance with this key.`);
  },
  '/timers/:id/cancel': (host, asked) =>
    actOnTimer(asked, (id, by) => partOf(host, 'processes').cancelTimer(id, by)),
  '/timers/:id/run-now': (host, asked) =>
    actOnTimer(asked, (id, by) => partOf(host, 'processes').runTimer(id, by)),
};

async function actOnTimer(
  asked: ApiRequest,
  act: (id: string, by: ActedBy) => Promise<boolean>,
): Promise<unknown> {
  const { id = '' } = asked.params;
  if (isUuid(id) && (await act(id, actedBy(asked)))) return { id };
  throw notFound('There is no such timer; it has fired, or was cancelled.');
}
