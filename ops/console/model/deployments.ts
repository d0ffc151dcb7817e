/** A deployment in the list. */
export interface DeploymentItem {
  readonly id: string;
  readonly service: string;
  readonly strategy: string;
  readonly revision: string;
  readonly previous?: string | undefined;
  /** `running`, `paused`, `reverting`, `completed` or `reverted`. */
  readonly state: string;
  readonly stage: number;
  /** Percent of the traffic that the new revision gets. */
  readonly toNew: number;
  readonly reason?: string | undefined;
  readonly actor: string;
  /** Whether a process drives it. */
  readonly isDriven: boolean;
  readonly startedAt: string;
  readonly finishedAt?: string | undefined;
}
