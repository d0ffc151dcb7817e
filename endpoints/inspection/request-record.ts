import type { TransportName } from '../../contracts/mutation-context.js';
import type { LifecycleOutcome, LifecycleState } from '../lifecycle/lifecycle-machine.js';

/** What is kept of an ended request: its ids, states and times; never its content. */
export interface RequestRecord {
  readonly id: string;
  readonly correlationId: string;
  readonly traceId: string | undefined;
  readonly command: string;
  readonly transport: TransportName;
  /** Also the name of the final state. */
  readonly outcome: LifecycleOutcome;
  /** The state in which it failed. */
  readonly failedIn: LifecycleState | undefined;
  readonly error: { readonly name: string; readonly code: string | undefined } | undefined;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly ms: number;
  readonly states: readonly (readonly [state: LifecycleState, ms: number])[];
  /** Whether frames of the request were recorded. */
  readonly traced: boolean;
}
