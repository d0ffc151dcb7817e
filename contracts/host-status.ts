import type { HealthStatus } from './health.js';
import type { Timestamp, Uuid } from './scalars.js';

export const hostStatusType = 'HostStatus';

/** The status that a broadcasting host reports; it is not stored. */
export interface HostStatus {
  /** The name of the service. */
  readonly service: string;
  readonly version: string;
  readonly startedAt: Timestamp;
  /** The last status before a host ends is `stopped`. */
  readonly state: 'up' | 'stopped';
  readonly status: HealthStatus;
  readonly checks: readonly CheckStatus[];
}

export interface CheckStatus {
  readonly name: string;
  readonly status: HealthStatus;
  readonly detail?: string | undefined;
}

/** A status with its sender and its time. */
export interface ReceivedStatus extends HostStatus {
  readonly host: string;
  readonly store: Uuid;
  readonly reportedAt: Timestamp;
}
