import { Problem } from '../../contracts/problems.js';
import { Attendance, DeploymentAborted, StepFailed } from './attendance.js';
import { type Engine, type Outcome, revertDeployment, runDeployment } from './engine.js';
import type { Deployment, Journal } from './journal.js';
import { stepsOf } from './plan.js';
import { changesNothing } from './revert.js';

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

/** Prepares the target of a deployment, then continues or reverts it. */
export async function driveDeployment(unbound: UnboundDeployment): Promise<Outcome> {
  const { deployment, journal, revertBecause } = unbound;
  const begun = stepsOf(deployment.strategy, deployment.options).slice(0, deployment.step + 1);
  const because = deployment.state === 'reverting' ? deployment.reason : revertBecause;
  const isUntouched = changesNothing(begun);
  if (because !== undefined && isUntouched) return leave(journal, because);
  const prepared = await prepare(unbound, because !== undefined);
  if ('bound' in prepared) {
    const engine: Engine = { ...unbound, ...prepared.bound };
    return revertBecause === undefined || deployment.state === 'reverting'
      ? runDeployment(engine)
      : revertDeployment(engine, revertBecause);
  }
  const { error } = prepared;
  const outcome = isUntouched ? await leave(journal, messageOf(error)) : undefined;
  if (!(error instanceof DeploymentAborted)) throw error;
  if (outcome !== undefined) return outcome;
  throw new Problem('deployment-conflict', {
    detail: `The deployment of ${deployment.revision} is not continued: ${error.message}; its watcher reverts it.`,
  });
}

/** Nothing was changed. */
async function leave(journal: Journal, reason: string): Promise<Outcome> {
  await journal.beginRevert(reason);
  await journal.finish('reverted');
  return { state: 'reverted', reason };
}

type Prepared = { readonly bound: Bound } | { readonly error: unknown };

/** Renews the lease while the driver prepares; an operator may abort meanwhile, unless the deployment is reverted. */
async function prepare(unbound: UnboundDeployment, isReverting: boolean): Promise<Prepared> {
  const { journal, clock, interrupted, deployment } = unbound;
  const isPaused = deployment.state === 'paused';
  const attendance = new Attendance(journal, clock, isReverting ? undefined : interrupted, isPaused);
  const call = (signal: AbortSignal): Promise<Prepared> =>
    unbound.prepare(signal).then(
      (bound) => ({ bound }),
      (error: unknown) => ({ error }),
    );
  try {
    const prepared = await attendance.during(isReverting ? prepareToRevertMs : prepareMs, call);
    if (!('bound' in prepared) || attendance.isPaused === isPaused) return prepared;
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
