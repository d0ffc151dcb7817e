export interface HealthFigures {
  readonly status: string;
  readonly checks: readonly HealthLine[];
}

export interface HealthLine {
  readonly name: string;
  /** Which of several says so. */
  readonly host?: string | undefined;
  readonly tags: readonly string[];
  readonly status: string;
  readonly detail?: string | undefined;
  readonly latencyMs?: number | undefined;
  readonly since?: string | undefined;
}
