import type { AppendOptions } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import type { Timestamp } from '../../contracts/scalars.js';

interface Circumstances {
  readonly occurredAt?: Timestamp;
  readonly scope?: Partial<PerspectiveScope>;
  /** Another store has sent it. */
  readonly isReceived?: boolean;
}

/** An event of the past with when it happened, who caused it, or that another store has sent it. */
export class PastEvent {
  constructor(
    readonly event: Event,
    readonly circumstances: Circumstances = {},
  ) {}

  get dated(): Pick<AppendOptions, 'occurredAt'> {
    const { occurredAt } = this.circumstances;
    return occurredAt === undefined ? {} : { occurredAt };
  }
}

export const pastEvent = (event: Event | PastEvent, more: Circumstances = {}): PastEvent =>
  event instanceof PastEvent
    ? new PastEvent(event.event, { ...event.circumstances, ...more })
    : new PastEvent(event, more);

/** Dates an event of the past: `given(receptor, [loanId, at('2026-01-31T12:00:00Z', borrowed)])`. */
export const at = (occurredAt: Timestamp, event: Event | PastEvent): PastEvent =>
  pastEvent(event, { occurredAt });

/** Says who caused an event of the past: `given(receptor, [loanId, by({ tenantId: 'acme', userId: 'ann' }, borrowed)])`. */
export const by = (scope: Partial<PerspectiveScope>, event: Event | PastEvent): PastEvent =>
  pastEvent(event, { scope });

/** An event of another store: `given(receptor, [orderId, placed, received(shipped)])`. */
export const received = (event: Event | PastEvent, occurredAt?: Timestamp): PastEvent =>
  pastEvent(event, { isReceived: true, ...(occurredAt === undefined ? {} : { occurredAt }) });
