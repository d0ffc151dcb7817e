import type { HealthItem } from './health.js';
import type { FailureItem } from './failure-groups.js';

/** All that a monitor knows. */
export interface Overview {
  readonly hosts: readonly HostItem[];
  /** Newest first. */
  readonly progress: readonly ProgressItem[];
  readonly failures: readonly FailureItem[];
  /** Empty until they were read once. */
  readonly stores: readonly StoreItem[];
}

/** How far another store is trusted. */
export interface StoreItem {
  readonly store: string;
  /** `pinned`: on first use; `trusted`: by an operator. */
  readonly trust: 'pinned' | 'trusted' | 'waiting' | 'forgotten';
  /** The beginning of its public key. */
  readonly key?: string | undefined;
  readonly records: number;
  /** Records that no signed head covers yet. */
  readonly unconfirmed: number;
  readonly missing: number;
  /** Records that were thrown away: no signed head covers them. */
  readonly dropped: number;
  /** Messages that were passed over while it waits. */
  readonly passedOver: number;
}

export interface HostItem {
  /** The key that selects it. */
  readonly name: string;
  readonly store: string;
  /** Unknown until its first status report. */
  readonly service?: string | undefined;
  readonly version?: string | undefined;
  readonly startedAt?: string | undefined;
  /** `no report`: it has records and has sent no status report yet. */
  readonly state: 'up' | 'stopped' | 'silent' | 'no report';
  readonly status?: string | undefined;
  /** The checks that are not Healthy. */
  readonly failingChecks: readonly HealthItem[];
  readonly lastSeen: string;
  /** The position of its last record. */
  readonly position?: number | undefined;
}

/** A rebuild or migration in progress, or its result. */
export interface ProgressItem {
  readonly host: string;
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly state: 'running' | 'completed' | 'failed';
  readonly detail?: string | undefined;
  readonly at: string;
}
