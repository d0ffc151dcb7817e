import type { StoredEvent } from '../../../contracts/event-store.js';
import { Event } from '../../../contracts/message.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';

export class OrderPlaced extends Event {}

interface Totals {
  readonly count: number;
  readonly total: number;
}

/** The rebuilt model: one row per order, with its own column. */
export const orderTotals = {
  name: 'order-totals',
  events: [OrderPlaced],
  initial: (): Totals => ({ count: 0, total: 0 }),
  apply: ({ count, total }: Totals, { payload }: StoredEvent<{ readonly amount?: number }>): Totals => ({
    count: count + 1,
    total: total + (payload.amount ?? 0),
  }),
  columns: { total: { type: 'numeric', of: ({ total }: Totals) => total } },
} as unknown as AnyPerspective;
