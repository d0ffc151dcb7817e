export const HealthStatus = Object.freeze({
  Healthy: 'Healthy',
  Degraded: 'Degraded',
  Unhealthy: 'Unhealthy',
} as const);

export type HealthStatus = keyof typeof HealthStatus;

/** What a check found; the detail is one line that anybody may read. */
export interface HealthReport {
  readonly status: HealthStatus;
  readonly detail?: string | undefined;
  /** Where the check knows better than the clock around it. */
  readonly latencyMs?: number;
}

/** Looks at one thing again and again; throwing and being late are Unhealthy. */
export interface HealthCheck {
  readonly name: string;
  readonly tags: readonly string[];
  /** Default 5 s; while it is Unhealthy at most 1 s. */
  readonly periodMs?: number;
  /** Default 2 s. */
  readonly timeoutMs?: number;
  /** The signal is aborted when nobody waits for the answer any more. */
  check(signal: AbortSignal): HealthReport | Promise<HealthReport>;
}

/** The last report of one check. */
export interface CheckResult {
  readonly name: string;
  readonly tags: readonly string[];
  readonly status: HealthStatus;
  readonly detail: string | null;
  readonly latencyMs: number;
  /** Since when it has this status. */
  readonly since: string;
}

/** Where a host answers probes. */
export interface HealthPaths {
  readonly live: string;
  readonly ready: string;
  readonly details: string;
}

/** One that is Unhealthy makes all of it Unhealthy. */
export function worstOf(statuses: Iterable<HealthStatus>): HealthStatus {
  let worst: HealthStatus = 'Healthy';
  for (const status of statuses) {
    if (status === 'Unhealthy') return status;
    if (status === 'Degraded') worst = status;
  }
  return worst;
}
