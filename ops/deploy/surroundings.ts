import { type Attendance, StepFailed } from './attendance.js';
import type { Journal } from './journal.js';
import type { DeploymentOptions, GateName } from './steps.js';
import type { DeploymentTarget, Report } from './target.js';

/** A check that must pass. */
export type Gate = (
  name: GateName,
  signal: AbortSignal,
) => Promise<{ readonly ok: boolean; readonly reason: string }>;

/** What the steps of one deployment act on. */
export interface Surroundings {
  readonly target: DeploymentTarget;
  readonly gate: Gate;
  readonly journal: Journal;
  readonly options: DeploymentOptions;
  readonly attendance: Attendance;
}

/** A report, or why there is none. */
export async function observed({ target, options, attendance }: Surroundings): Promise<Report | string> {
  try {
    return await attendance.during(Math.min(options.stepMs, 5_000), (signal) => target.observe(signal));
  } catch (error) {
    if (error instanceof StepFailed) return error.message;
    throw error;
  }
}
