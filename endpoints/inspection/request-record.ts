import type { TransportName } from '../../contracts/mutation-context.js';
import type { LifecycleOutcome, LifecycleState } from '../lifecycle/lifecycle-machine.js';
import type { RecordedError } from './recorded-error.js';

/**
 * How a request ended: the final state of its lifecycle, or `rejected` or `replayed` before it began. `running` has not
 * ended.
 */
export type RequestOutcome = LifecycleOutcome | 'rejected' | 'replayed' | 'running';

/** What is kept of a request: its ids, states and times; its content only where developers alone look. */
export interface RequestRecord {
  readonly id: string;
  readonly correlationId: string;
  readonly traceId: string | undefined;
  readonly command: string;
  readonly transport: TransportName;
  readonly outcome: RequestOutcome;
  /** The status of its answer. */
  readonly status: number | undefined;
  /** The state in which it failed. */
  readonly failedIn: LifecycleState | undefined;
  readonly error: RecordedError | undefined;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly ms: number;
  readonly states: readonly (readonly [state: LifecycleState, ms: number])[];
  /** Its command as JSON, without sensitive values. */
  readonly body?: string | undefined;
}
