import { Problem } from '../../../contracts/problems.js';
import { newUuid } from '../../../contracts/uuid.js';
import { withTimeout } from '../../../runtime/lang/with-timeout.js';
import { currentOperator } from '../../cli/operator.js';
import { type DeployConfig, readDeployConfig } from '../deploy-config.js';
import type { DeploymentStore, NewDeployment } from '../deployment-store.js';
import type { DeploymentDriver } from '../target.js';
import type { WantedDeployment } from './deploy-arguments.js';
import { loadDriver } from './deploy-driver.js';
import {
  applicationOf,
  configFileOf,
  optionsFor,
  revisionBefore,
  revisionOf,
  rollbackStageMs,
  rollbackStrategy,
} from './deploy-plan.js';

interface BegunDeployment {
  readonly deployment: NewDeployment;
  readonly driver: DeploymentDriver;
}

/** What is to be stored of a deployment that begins, and the driver that carries it out. */
export async function newDeployment(
  deployments: DeploymentStore,
  wanted: WantedDeployment,
): Promise<BegunDeployment> {
  const file = await configFileOf(wanted);
  const config = await readDeployConfig(file);
  const driver = await loadDriver(config, file);
  return { deployment: await plannedDeployment(deployments, wanted, { file, config, driver }), driver };
}

interface LoadedDriver {
  readonly file: string;
  readonly config: DeployConfig;
  readonly driver: DeploymentDriver;
}

async function plannedDeployment(
  deployments: DeploymentStore,
  wanted: WantedDeployment,
  { file, config, driver }: LoadedDriver,
): Promise<NewDeployment> {
  const { current, known } = await revisionsOf(driver);
  const { source } = wanted;
  const isRollback = wanted.strategy === undefined;
  const history = isRollback ? await deployments.history(100) : [];
  const strategy = wanted.strategy ?? rollbackStrategy(history.find(({ state }) => state === 'completed'));
  const revision =
    wanted.revision ?? (source === undefined ? revisionBefore(current, history) : await revisionOf(source));
  if (source === undefined && !known.includes(revision)) {
    const others =
      known.length === 0 ? 'none has been deployed yet' : `known are ${known.slice(0, 10).join(', ')}`;
    throw new Problem('not-found', { detail: `There is no revision ${revision}; ${others}.` });
  }
  if (revision === current)
    throw new Problem('usage', { detail: `${revision} is already serving; deploy another revision.` });
  const options = optionsFor(strategy, wanted, config);
  return {
    id: newUuid(),
    service: config.service ?? 'service',
    strategy,
    revision,
    previous: current,
    // Another process may have another current folder.
    source: (await applicationOf(source)) ?? source,
    config: file,
    options: isRollback ? { ...options, stageMs: wanted.options.stageMs ?? rollbackStageMs } : options,
    actor: currentOperator(),
  };
}

const revisionsMs = 45_000;

/** A driver may wait for more than its signal. */
export async function revisionsOf(driver: DeploymentDriver): ReturnType<DeploymentDriver['revisions']> {
  const giveUp = new AbortController();
  try {
    return await withTimeout(revisionsMs, driver.revisions(giveUp.signal));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'deadline-exceeded') throw error;
    throw new Problem('front-unreachable', {
      detail: `The driver did not report its revisions within ${revisionsMs / 1_000} s.`,
    });
  } finally {
    giveUp.abort();
  }
}
