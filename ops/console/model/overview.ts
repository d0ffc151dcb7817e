import type { HealthLine } from './health.js';
import type { StreamRecord } from './system-records.js';

/** What a monitor knows about everybody. */
export interface Overview {
  readonly hosts: readonly HostLine[];
  /** Newest first. */
  readonly progress: readonly ProgressLine[];
  readonly failures: readonly StreamRecord[];
}

export interface HostLine {
  /** Under which it can be chosen. */
  readonly name: string;
  readonly store: string;
  /** Unknown until it has said how it is. */
  readonly service?: string | undefined;
  readonly version?: string | undefined;
  readonly startedAt?: string | undefined;
  /** `heard of`: there are records of it, and it has not said how it is. */
  readonly state: 'up' | 'stopped' | 'silent' | 'heard of';
  readonly status?: string | undefined;
  /** The checks that are not Healthy. */
  readonly failingChecks: readonly HealthLine[];
  readonly lastSeen: string;
  /** Of its last record. */
  readonly position?: number | undefined;
}

/** A rebuild or a migration on its way, or how it ended. */
export interface ProgressLine {
  readonly host: string;
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly state: 'running' | 'completed' | 'failed';
  readonly detail?: string | undefined;
  readonly at: string;
}
