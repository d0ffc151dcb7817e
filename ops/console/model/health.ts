export interface HealthFigures {
  readonly status: string;
  readonly checks: readonly HealthItem[];
}

export interface HealthItem {
  readonly name: string;
  /** The reporting host, if there are several. */
  readonly host?: string | undefined;
  readonly tags: readonly string[];
  readonly status: string;
  readonly detail?: string | undefined;
  readonly latencyMs?: number | undefined;
  readonly since?: string | undefined;
}
