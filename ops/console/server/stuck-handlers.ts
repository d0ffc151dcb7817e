import { textParameter } from '../../../endpoints/access/query-parameters.js';
import type { Repair } from '../../../runtime/stuck/repair-plan.js';
import { actedBy, invalidBody, memberOf, textIn } from './action-body.js';
import type { ApiHandler } from './api-handler.js';
import { notFound, partOf } from './host-parts.js';
import { rowsIn } from './query-parameters.js';

/** As long as a key, and where it is. */
const longestId = 2_000;

export const stuckReads: Readonly<Record<string, ApiHandler>> = {
  '/stuck': (host, { query }) =>
    partOf(host, 'stuck').page(
      { follower: textParameter(query, 'follower'), fingerprint: textParameter(query, 'fingerprint') },
      rowsIn(query),
    ),
};

export const stuckParameters: Readonly<Record<string, readonly string[]>> = {
  '/stuck': ['follower', 'fingerprint', 'limit'],
};

/** Who repairs sees first how many entries it is about: a plan names them. */
export const stuckActions: Readonly<Record<string, ApiHandler>> = {
  '/stuck/plan': (host, { body }) => {
    const action = memberOf(body, 'action');
    if (action !== 'retry' && action !== 'skip') throw invalidBody('action must be retry or skip.');
    const [follower, fingerprint] = [textIn(body, 'follower'), textIn(body, 'fingerprint')];
    if (follower === undefined || fingerprint === undefined)
      throw invalidBody('The follower and the fingerprint of a cause are required.');
    return partOf(host, 'stuck').plan(action, { follower, fingerprint });
  },
  '/stuck/retry': repairBy('retry'),
  '/stuck/skip': repairBy('skip'),
};

function repairBy(action: Repair): ApiHandler {
  return async (host, asked) => {
    const [id, plan] = [textIn(asked.body, 'id', longestId), textIn(asked.body, 'plan')];
    const by = actedBy(asked);
    if (by.reason === undefined) throw invalidBody('A reason is required.');
    if (id === undefined && plan === undefined) throw invalidBody('An id or a plan is required.');
    const stuck = partOf(host, 'stuck');
    if (id !== undefined) {
      await stuck.repair(action, id, by);
      return { repaired: 1, left: [] };
    }
    const done = await stuck.carryOut(action, plan ?? '', by);
    if (done !== undefined) return done;
    throw notFound(`There is no such plan to ${action}: it was carried out, or is older than a day.`);
  };
}
