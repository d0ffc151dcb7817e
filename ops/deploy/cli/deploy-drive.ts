import { Problem } from '../../../contracts/problems.js';
import { systemClock } from '../clock.js';
import { readDeployConfig } from '../deploy-config.js';
import type { StoredDeployment } from '../deployment-rows.js';
import type { DeploymentStore } from '../deployment-store.js';
import { driveDeployment } from '../drive-deployment.js';
import type { Engine, Outcome } from '../engine.js';
import { gateOf } from '../gates.js';
import { postgresJournal } from '../postgres-journal.js';
import type { DeploymentDriver, DeploymentTarget } from '../target.js';
import { loadDriver } from './deploy-driver.js';
import { applicationOf } from './deploy-plan.js';

interface Manner {
  readonly driver?: DeploymentDriver;
  readonly interrupted?: AbortSignal;
  /** Set: the deployment is not continued. */
  readonly revertBecause?: string;
  readonly onStep?: Engine['onStep'];
}

/** Drives a stored deployment whose lease this process holds. */
export async function driveStored(
  deployments: DeploymentStore,
  deployment: StoredDeployment,
  holder: string,
  { driver, interrupted, revertBecause, onStep }: Manner,
): Promise<Outcome> {
  const app = await applicationOf(deployment.source);
  try {
    return await driveDeployment({
      deployment,
      journal: postgresJournal(deployments, deployment.id, holder),
      prepare: (signal) => bind(deployments, deployment, holder, driver, signal),
      revertBecause,
      gate: gateOf(deployment.options.gates, app, process.env['SVC_CHECK_KEY'] || undefined),
      clock: systemClock,
      interrupted: interrupted ?? new AbortController().signal,
      ...(onStep && { onStep }),
    });
  } catch (error) {
    if (error instanceof Problem && error.code === 'deployment-stuck')
      await deployments.release(deployment.id, holder);
    throw error;
  }
}

interface Bound {
  readonly target: DeploymentTarget;
  readonly deployment: StoredDeployment;
}

/** Binds the target; before the first step, also notes how many hosts the old revision has. */
async function bind(
  deployments: DeploymentStore,
  deployment: StoredDeployment,
  holder: string,
  given: DeploymentDriver | undefined,
  signal: AbortSignal,
): Promise<Bound> {
  const { id, config, revision, source, previous, options } = deployment;
  const driver = given ?? (await loadDriver(await readDeployConfig(config), config));
  const isBegun = deployment.step > 0 || deployment.state === 'reverting';
  // What was begun uses the build that is kept, whatever its source holds by now.
  const target = await driver.prepare(revision, isBegun ? undefined : source, signal);
  if (isBegun) return { target, deployment };
  const { old } = await target.observe(signal);
  const oldReplicas = previous === undefined ? 0 : old.replicas || options.replicas;
  const stored = await deployments.bind(id, holder, { ...options, oldReplicas });
  return { target, deployment: stored ?? deployment };
}

export const outcomeText = (
  { revision, previous, strategy }: Pick<StoredDeployment, 'revision' | 'previous' | 'strategy'>,
  outcome: Outcome,
): string =>
  outcome.state === 'completed'
    ? `${revision} serves all requests (${previous === undefined ? 'first deployment' : strategy}).`
    : `The deployment of ${revision} was reverted${previous === undefined ? '' : ` to ${previous}`}: ${outcome.reason}.`;
