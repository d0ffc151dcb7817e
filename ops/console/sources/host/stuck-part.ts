import { Problem } from '../../../../contracts/problems.js';
import type { ActingOperator } from '../../../../runtime/store/operator-action.js';
import type { Database } from '../../../../runtime/database/database.js';
import { eventsAt } from '../../../../runtime/reactions/process-views.js';
import { mostPlanned, planOf, refusalOf, selectionText } from '../../../../runtime/stuck/repair-plan.js';
import { carryOut, findPlan, keepPlan, repairEntry } from '../../../../runtime/stuck/repair-stuck.js';
import {
  countStuckCauses,
  listStuck,
  listToPlan,
  showStuck,
  type StuckEntry,
  type StuckFilter,
} from '../../../../runtime/stuck/stuck-entries.js';
import type { ActedBy } from '../../model/acted-by.js';
import type { StuckItem, StuckPart } from '../../model/stuck.js';
import { sharedAnswer } from './shared-answer.js';

/** How many different errors are counted. */
const mostTexts = 1_000;

/** What is stuck in this store, whichever host runs it. */
export function stuckPart(database: Database, operatorOf: (by: ActedBy) => ActingOperator): StuckPart {
  const causes = sharedAnswer(() => countStuckCauses(database, mostTexts));
  const callBy = (by: ActedBy) => ({ database, ...operatorOf(by) });
  return {
    page: async (filter, limit) => {
      const isAsked = filter.follower !== undefined || filter.fingerprint !== undefined;
      const [all, entries] = await Promise.all([causes(), isAsked ? entriesOf(database, filter, limit) : []]);
      return { causes: all, entries };
    },
    plan: async (action, filter) => {
      const plan = planOf(action, await listToPlan(database, filter, mostPlanned));
      if (plan.ids.length > 0) await keepPlan(database, plan, selectionText(filter));
      return { plan: plan.token, count: plan.ids.length, refused: plan.refused };
    },
    repair: async (action, id, by) => {
      const entry = await showStuck(database, id);
      const why = entry && refusalOf(action, entry);
      if (why !== undefined)
        throw new Problem('invalid-query', { detail: `The entry was left alone: ${why}.` });
      if (entry === undefined || !(await repairEntry(callBy(by), action, id)))
        throw new Problem('not-found', {
          detail: 'The entry cannot be repaired like this: it has changed, or the id was cut off.',
        });
    },
    carryOut: async (action, token, by) => {
      const plan = await findPlan(database, token);
      return plan?.action === action ? carryOut(callBy(by), plan) : undefined;
    },
  };
}

async function entriesOf(
  database: Database,
  filter: StuckFilter,
  limit: number,
): Promise<readonly StuckItem[]> {
  const entries = await listStuck(database, filter, limit);
  const events = await eventsAt(
    database,
    entries.flatMap(({ position }) => position ?? []),
  );
  return entries.map((entry) => {
    const event = events.get(entry.position ?? 0);
    return { ...entry, refused: refusalsOf(entry), ...(event === undefined ? {} : { event }) };
  });
}

function refusalsOf(entry: StuckEntry): StuckItem['refused'] {
  const [retry, skip] = [refusalOf('retry', entry), refusalOf('skip', entry)];
  return { ...(retry === undefined ? {} : { retry }), ...(skip === undefined ? {} : { skip }) };
}
