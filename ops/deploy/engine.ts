import { Problem } from '../../contracts/problems.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { Attendance, DeploymentAborted, StepFailed } from './attendance.js';
import type { Clock } from './clock.js';
import type { Deployment, Journal } from './journal.js';
import { performStep } from './perform-step.js';
import { stepsOf } from './plan.js';
import { restore } from './restore.js';
import { changesNothing, revert } from './revert.js';
import { shareAfter, type Step } from './steps.js';
import { type Gate, observed, type Surroundings } from './surroundings.js';
import type { DeploymentTarget, Report } from './target.js';

/** What a deployment needs to run. */
export interface Engine {
  readonly deployment: Deployment;
  readonly target: DeploymentTarget;
  readonly journal: Journal;
  readonly gate: Gate;
  readonly clock: Clock;
  /** Aborted: the deployment reverts. */
  readonly interrupted: AbortSignal;
  /** Whether the checks before everything else, which are the first step, have passed. */
  readonly isChecked?: boolean;
  /** Called before each step. */
  readonly onStep?: (step: Step, isReverting: boolean) => void;
}

export type Outcome =
  | { readonly state: 'completed' }
  | { readonly state: 'reverted'; readonly reason: string };

/** Drives a deployment from the step that it had begun, to its end or back. */
export async function runDeployment(engine: Engine): Promise<Outcome> {
  const { deployment, journal } = engine;
  const steps = stepsOf(deployment.strategy, deployment.options);
  if (deployment.state === 'reverting')
    return goBack(engine, steps.slice(0, deployment.step + 1), deployment.reason ?? '');
  const failed = await goForward(engine, steps);
  if (failed === undefined) {
    await journal.finish('completed');
    return { state: 'completed' };
  }
  return revertDeployment(engine, failed.reason, failed.at);
}

/** Leads back to the old revision from the step that the deployment had begun. */
export async function revertDeployment(
  engine: Engine,
  reason: string,
  at = engine.deployment.step,
): Promise<Outcome> {
  const { strategy, options } = engine.deployment;
  await engine.journal.beginRevert(reason);
  return goBack(engine, stepsOf(strategy, options).slice(0, at + 1), reason);
}

interface Failure {
  readonly at: number;
  readonly reason: string;
}

async function goForward(engine: Engine, steps: readonly Step[]): Promise<Failure | undefined> {
  const { deployment, journal, clock, interrupted, onStep, isChecked } = engine;
  const isPaused = deployment.state === 'paused';
  const first = isChecked === true ? Math.max(1, deployment.step) : deployment.step;
  const within = surroundingsOf(engine, new Attendance(journal, clock, interrupted, isPaused));
  let at = deployment.step;
  try {
    if (at > 0) await restoreBefore(engine, steps.slice(0, at), within);
    for (const [index, step] of steps.entries()) {
      if (index < first) continue;
      at = index;
      await journal.beginStep(at);
      failpoint('deploy-begin-step');
      onStep?.(step, false);
      await within.attendance.attend();
      await performStep(step, stageAt(steps, at), within);
      failpoint('deploy-end-step');
    }
    await keepShare(shareAfter(steps), within, (step) => performStep(step, 0, within));
    return undefined;
  } catch (error) {
    if (error instanceof StepFailed || error instanceof DeploymentAborted)
      return { at, reason: error.message };
    throw error;
  }
}

/** Another process drove the deployment so far. */
async function restoreBefore(engine: Engine, done: readonly Step[], within: Surroundings): Promise<void> {
  await within.attendance.attend();
  for (const step of restore(engine.deployment.options, done, await seenBy(within))) {
    engine.onStep?.(step, false);
    await performStep(step, 0, within);
  }
}

async function goBack(engine: Engine, begun: readonly Step[], reason: string): Promise<Outcome> {
  const { deployment, journal, clock, onStep } = engine;
  const { strategy, options } = deployment;
  const within = surroundingsOf(engine, new Attendance(journal, clock, undefined, false));
  const until = clock.now() + options.holdMs + options.readyMs;
  const seen = changesNothing(begun) ? undefined : await seenBy(within);
  const steps = [...revert(strategy, options, begun, seen)];
  for (const [at, step] of steps.entries()) {
    await journal.beginRevertStep(at);
    failpoint('deploy-begin-revert-step');
    onStep?.(step, true);
    await persist(step, within, until);
  }
  if (steps.length > 0 && options.oldReplicas > 0)
    await keepShare(0, within, (step) => persist(step, within, until));
  await journal.finish('reverted');
  return { state: 'reverted', reason };
}

async function seenBy(within: Surroundings): Promise<Report | undefined> {
  const report = await observed(within);
  return typeof report === 'string' ? undefined : report;
}

/** A front that restarted during the last steps may have forgotten who gets the requests. */
async function keepShare(
  toNew: number,
  within: Surroundings,
  perform: (step: Step) => Promise<void>,
): Promise<void> {
  const seen = await seenBy(within);
  if (seen !== undefined && seen.toNew !== toNew) await perform({ do: 'set-weights', toNew });
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;

/** A revert does not give up at the first failure; what does not carry requests is not waited for. */
async function persist(step: Step, within: Surroundings, until: number): Promise<void> {
  const { clock } = within.attendance;
  for (let tries = 1, pauseMs = firstPauseMs; ; tries++, pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await performStep(step, 0, within);
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      if (!carriesRequests(step) && tries >= 3) return;
      if (clock.now() >= until)
        throw new Problem('deployment-stuck', {
          detail: `The deployment cannot be reverted: ${error.message}; correct that, then run svc deploy abort.`,
        });
    }
    for (let left = pauseMs; left > 0; left -= 500) await within.attendance.wait(left);
  }
}

const carriesRequests = (step: Step): boolean =>
  step.do === 'set-weights' ||
  step.do === 'switch' ||
  ((step.do === 'scale' || step.do === 'await-ready') && step.side === 'old');

const surroundingsOf = (
  { target, gate, journal, deployment: { options } }: Engine,
  attendance: Attendance,
): Surroundings => ({ target, gate, journal, options, attendance });

/** The stage that a step belongs to, from 0. */
const stageAt = (steps: readonly Step[], at: number): number =>
  Math.max(0, steps.slice(0, at + 1).filter((step) => step.do === 'reach').length - 1);
