export const HealthStatus = Object.freeze({
  Healthy: 'Healthy',
  Degraded: 'Degraded',
  Unhealthy: 'Unhealthy',
} as const);

export type HealthStatus = keyof typeof HealthStatus;

/** The result of a check; the detail is one line that is safe to show to anyone. */
export interface HealthReport {
  readonly status: HealthStatus;
  readonly detail?: string | undefined;
  /** Overrides the measured time where the check knows the latency better. */
  readonly latencyMs?: number;
}

/**
 * Checks one thing periodically. While it is Unhealthy, the host is not ready.
 *
 * @example
 * ```ts
 * const check = async (signal: AbortSignal) => ({ status: (await ping(signal)) ? 'Healthy' : 'Degraded' }) as const;
 * const carriers: HealthCheck = { name: 'carriers', tags: ['external'], check };
 * ```
 */
export interface HealthCheck {
  readonly name: string;
  readonly tags: readonly string[];
  /** Default 5 s; at most 1 s while the check is Unhealthy. */
  readonly periodMs?: number;
  /** Default 2 s. */
  readonly timeoutMs?: number;
  /** The status if the check throws or exceeds the timeout; default Unhealthy. */
  readonly failsAs?: Exclude<HealthStatus, 'Healthy'>;
  /** The signal is aborted when the result is no longer needed. */
  check(signal: AbortSignal): HealthReport | Promise<HealthReport>;
}

/** The last report of one check. */
export interface CheckResult {
  readonly name: string;
  readonly tags: readonly string[];
  readonly status: HealthStatus;
  readonly detail: string | null;
  readonly latencyMs: number;
  /** When it changed to this status. */
  readonly since: string;
}

/** Where a host answers probes. */
export interface HealthPaths {
  readonly live: string;
  readonly ready: string;
  readonly details: string;
}

/** The worst status wins. */
export function worstOf(statuses: Iterable<HealthStatus>): HealthStatus {
  let worst: HealthStatus = 'Healthy';
  for (const status of statuses) {
    if (status === 'Unhealthy') return status;
    if (status === 'Degraded') worst = status;
  }
  return worst;
}
