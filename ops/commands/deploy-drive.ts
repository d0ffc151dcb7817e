import { Problem } from '../../contracts/problems.js';
import { systemClock } from '../deploy/clock.js';
import { readDeployConfig } from '../deploy/deploy-config.js';
import type { StoredDeployment } from '../deploy/deployment-rows.js';
import type { DeploymentStore } from '../deploy/deployment-store.js';
import { type Engine, type Outcome, revertDeployment, runDeployment } from '../deploy/engine.js';
import { gateOf } from '../deploy/gates.js';
import { postgresJournal } from '../deploy/postgres-journal.js';
import type { DeploymentDriver, DeploymentTarget } from '../deploy/target.js';
import { loadDriver } from './deploy-driver.js';
import { applicationOf } from './deploy-plan.js';

interface Manner {
  readonly driver?: DeploymentDriver;
  readonly interrupted?: AbortSignal;
  /** Set: the deployment is not continued. */
  readonly revertBecause?: string;
  readonly onStep?: Engine['onStep'];
}

const prepareMs = 300_000;

/** Drives a deployment whose lease this process holds. */
export async function driveDeployment(
  deployments: DeploymentStore,
  deployment: StoredDeployment,
  holder: string,
  manner: Manner,
): Promise<Outcome> {
  const journal = postgresJournal(deployments, deployment.id, holder);
  const keeping = keepLease(() => deployments.extend(deployment.id, holder));
  let bound: Bound;
  try {
    bound = await bind(deployments, deployment, holder, manner.driver);
  } catch (error) {
    // Nothing has been done before the first step.
    if (deployment.step > 0 || deployment.state === 'reverting') throw error;
    await keeping.end();
    await journal.beginRevert(error instanceof Error ? error.message : String(error));
    await journal.finish('reverted');
    throw error;
  }
  await keeping.end();
  const engine: Engine = {
    ...bound,
    journal,
    gate: gateOf(
      deployment.options.gates,
      await applicationOf(deployment.source),
      process.env['SVC_CHECK_KEY'] || undefined,
    ),
    clock: systemClock,
    interrupted: manner.interrupted ?? new AbortController().signal,
    ...(manner.onStep && { onStep: manner.onStep }),
  };
  try {
    return await (manner.revertBecause === undefined || deployment.state === 'reverting'
      ? runDeployment(engine)
      : revertDeployment(engine, manner.revertBecause));
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
): Promise<Bound> {
  const { id, config, revision, source, previous, options } = deployment;
  const driver = given ?? (await loadDriver(await readDeployConfig(config), config));
  const signal = AbortSignal.timeout(prepareMs);
  const target = await driver.prepare(revision, source, signal);
  if (deployment.step > 0 || deployment.state === 'reverting') return { target, deployment };
  const { old } = await target.observe(signal);
  const oldReplicas = previous === undefined ? 0 : old.replicas || options.replicas;
  const stored = await deployments.bind(id, holder, { ...options, oldReplicas });
  return { target, deployment: stored ?? deployment };
}

/** Renews the lease while the driver prepares, which may take long. */
function keepLease(extend: () => Promise<void>): { end(): Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    last = last.then(extend).catch(() => undefined);
  }, 2_000);
  return {
    end: async () => {
      clearInterval(timer);
      await last;
    },
  };
}

export const outcomeText = ({ revision, previous, strategy }: StoredDeployment, outcome: Outcome): string =>
  outcome.state === 'completed'
    ? `${revision} serves all requests (${strategy}).`
    : `The deployment of ${revision} was reverted${previous === undefined ? '' : ` to ${previous}`}: ${outcome.reason}.`;
