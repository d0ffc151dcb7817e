import { reasonOnOneLine } from '../../actors/health/reason-on-one-line.js';
import { Problem } from '../../contracts/problems.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { Attendance, DeploymentAborted, mostOfReason, StepFailed } from './attendance.js';
import { type Engine, type Outcome, revertDeployment, runDeployment } from './engine.js';
import type { Deployment, Journal } from './journal.js';
import { passGate } from './perform-step.js';
import { stepsOf } from './plan.js';
import { changesNothing } from './revert.js';
import type { Step } from './steps.js';

type Bound = Pick<Engine, 'target' | 'deployment'>;

/** A deployment whose target is not bound yet. */
interface UnboundDeployment extends Omit<Engine, 'target'> {
  readonly prepare: (signal: AbortSignal) => Promise<Bound>;
  /** Set: the deployment is not continued. */
  readonly revertBecause?: string | undefined;
}

/** A driver may copy an application. */
const prepareMs = 300_000;
/** A revert finds everything in place. */
const prepareToRevertMs = 60_000;

/** Checks a deployment that has changed nothing yet, prepares its target, then continues or reverts it. */
export async function driveDeployment(unbound: UnboundDeployment): Promise<Outcome> {
  const { deployment, journal, clock, interrupted, revertBecause } = unbound;
  const steps = stepsOf(deployment.strategy, deployment.options);
  const because = deployment.state === 'reverting' ? deployment.reason : revertBecause;
  const isReverting = because !== undefined;
  const isUntouched = changesNothing(steps.slice(0, deployment.step + 1));
  if (isReverting && isUntouched) return leave(journal, because);
  const isPaused = deployment.state === 'paused';
  const attendance = new Attendance(journal, clock, isReverting ? undefined : interrupted, isPaused);
  const isChecked = deployment.step === 0 && !isReverting;
  const refusal = isChecked ? await check(unbound, steps, attendance) : undefined;
  if (refusal !== undefined) return leave(journal, refusal);
  const prepared = await prepare(unbound, attendance, isReverting);
  if ('bound' in prepared) {
    const engine: Engine = { ...unbound, ...prepared.bound, isChecked };
    return revertBecause === undefined || deployment.state === 'reverting'
      ? runDeployment(engine)
      : revertDeployment(engine, revertBecause);
  }
  const { error } = prepared;
  const outcome = isUntouched ? await leave(journal, reasonOnOneLine(error, mostOfReason)) : undefined;
  if (!(error instanceof DeploymentAborted)) throw error;
  if (outcome !== undefined) return outcome;
  throw new Problem('deployment-conflict', {
    detail: `The deployment of ${deployment.revision} is not continued: ${error.message}; its watcher reverts it.`,
  });
}

/** A driver changes what it prepares, so the checks come first. Returns why they did not pass. */
async function check(
  { journal, gate, onStep }: UnboundDeployment,
  [first]: readonly Step[],
  attendance: Attendance,
): Promise<string | undefined> {
  if (first?.do !== 'gate') return undefined;
  try {
    await journal.beginStep(0);
    failpoint('deploy-begin-step');
    onStep?.(first, false);
    await attendance.attend();
    await passGate(first.gate, gate, attendance);
    failpoint('deploy-end-step');
    return undefined;
  } catch (error) {
    if (error instanceof StepFailed || error instanceof DeploymentAborted) return error.message;
    throw error;
  }
}

/** Nothing was changed. */
async function leave(journal: Journal, reason: string): Promise<Outcome> {
  await journal.beginRevert(reason);
  await journal.finish('reverted');
  return { state: 'reverted', reason };
}

type Prepared = { readonly bound: Bound } | { readonly error: unknown };

/** Renews the lease while the driver prepares; an operator may abort meanwhile, unless the deployment is reverted. */
async function prepare(
  { prepare: bind, deployment }: UnboundDeployment,
  attendance: Attendance,
  isReverting: boolean,
): Promise<Prepared> {
  const call = (signal: AbortSignal): Promise<Prepared> =>
    bind(signal).then(
      (bound) => ({ bound }),
      (error: unknown) => ({ error }),
    );
  try {
    const prepared = await attendance.during(isReverting ? prepareToRevertMs : prepareMs, call);
    if (!('bound' in prepared) || attendance.isPaused === (deployment.state === 'paused')) return prepared;
    const state = attendance.isPaused ? 'paused' : 'running';
    return { bound: { ...prepared.bound, deployment: { ...prepared.bound.deployment, state } } };
  } catch (error) {
    if (error instanceof DeploymentAborted) return { error };
    if (error instanceof StepFailed) return { error: tooSlow(deployment, error) };
    throw error;
  }
}

const tooSlow = ({ revision }: Deployment, { message }: StepFailed): Problem =>
  new Problem('front-unreachable', {
    detail: `The driver could not prepare the revision ${revision}: ${message}.`,
  });
