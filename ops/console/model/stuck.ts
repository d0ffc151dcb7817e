import type { EventAt } from '../../../runtime/reactions/process-views.js';
import type { Repair, RepairPlan } from '../../../runtime/stuck/repair-plan.js';
import type { StuckCause, StuckEntry, StuckFilter } from '../../../runtime/stuck/stuck-entries.js';
import type { ActedBy } from './acted-by.js';

export interface StuckItem extends StuckEntry {
  /** The event at which it is stuck, if it is a domain event. */
  readonly event?: EventAt;
  /** Why it cannot be repaired in a way. */
  readonly refused: Readonly<Partial<Record<Repair, string>>>;
}

export interface StuckPage {
  /** The most frequent first. */
  readonly causes: readonly StuckCause[];
  /** Those of the cause that is asked for, parked and oldest first. */
  readonly entries: readonly StuckItem[];
}

/** What a repair of all entries of a cause would act on. */
export interface PlannedRepair extends Pick<RepairPlan, 'refused'> {
  readonly plan: string;
  readonly count: number;
}

/** What became of the entries of a plan. */
export interface RepairedPlan {
  readonly repaired: number;
  /** They have changed since they were counted. */
  readonly left: readonly string[];
}

/** Work that waits for an operator or is retried. */
export interface StuckPart {
  page(filter: StuckFilter, limit: number): Promise<StuckPage>;
  plan(action: Repair, filter: StuckFilter): Promise<PlannedRepair>;
  /** Repairs one entry; throws a Problem that says why it cannot be repaired. */
  repair(action: Repair, id: string, by: ActedBy): Promise<void>;
  /** Repairs the entries of a plan; undefined if there is no such plan to do this. */
  carryOut(action: Repair, plan: string, by: ActedBy): Promise<RepairedPlan | undefined>;
}
