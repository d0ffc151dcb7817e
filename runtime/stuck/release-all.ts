import type { Database } from '../database/database.js';
import type { OperatorCall } from '../store/operator-action.js';
import { mostPlanned, planOf } from './repair-plan.js';
import { carryOut, keepPlan, type KeptPlan } from './repair-stuck.js';
import { listToPlan } from './stuck-entries.js';

/** Plans a retry of the parked keys of a reaction or process, at most as many as one plan may have. */
export async function planRelease(database: Pick<Database, 'rows'>, name: string): Promise<KeptPlan> {
  const keys = [];
  for (const kind of ['reaction', 'process']) {
    const follower = `${kind}/${name}`;
    const entries = await listToPlan(database, { follower, state: 'parked' }, mostPlanned - keys.length);
    // Without instances that no event stops.
    keys.push(...entries.filter(({ id }) => id.startsWith(`${follower}/`)));
  }
  const plan = planOf('retry', keys);
  if (plan.ids.length > 0) await keepPlan(database, plan, name);
  return { token: plan.token, action: plan.action, selection: name, count: plan.ids.length };
}

/** Carries such a plan out; returns how many keys were released. */
export async function releaseAll(
  call: OperatorCall,
  plan: KeptPlan,
  progress?: (released: number) => void,
): Promise<number> {
  const recorded = { action: 'reactions release', target: plan.selection };
  const { repaired } = await carryOut(call, plan, progress, recorded);
  return repaired;
}
