import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { currentOperator } from '../cli-operator.js';
import { type DeployConfig, readDeployConfig } from '../deploy/deploy-config.js';
import type { StoredDeployment } from '../deploy/deployment-rows.js';
import type { DeploymentStore, NewDeployment } from '../deploy/deployment-store.js';
import type { Outcome } from '../deploy/engine.js';
import { actionText, planOf, stepsOf } from '../deploy/plan.js';
import type { Step } from '../deploy/steps.js';
import type { DeploymentDriver } from '../deploy/target.js';
import { printToStderr, printToStdout } from '../print.js';
import type { WantedDeployment } from './deploy-arguments.js';
import { driveStored, outcomeText } from './deploy-drive.js';
import { checkDriver, loadDriver } from './deploy-driver.js';
import {
  applicationOf,
  configFileOf,
  isThere,
  optionsFor,
  revisionBefore,
  revisionOf,
  rollbackStrategy,
} from './deploy-plan.js';
import { planText } from './deploy-status-text.js';
import { startWatcher } from './deploy-watcher.js';

/** Prints what a deployment would do; touches nothing. */
export async function printPlan(wanted: WantedDeployment, json: boolean): Promise<void> {
  const file = await configFileOf(wanted);
  const isNeeded = wanted.config !== undefined || (await isThere(file));
  const config = isNeeded ? await readDeployConfig(file) : undefined;
  if (config !== undefined) await checkDriver(config, file);
  const strategy = wanted.strategy ?? 'blue-green';
  const plan = planOf(stepsOf(strategy, optionsFor(strategy, wanted, config)));
  printToStdout(json ? `${JSON.stringify(plan, undefined, 2)}\n` : planText(strategy, plan));
}

/** Starts a deployment and drives it to its end or back. */
export async function runNewDeployment(
  deployments: DeploymentStore,
  wanted: WantedDeployment,
  json: boolean,
): Promise<void> {
  const file = await configFileOf(wanted);
  const config = await readDeployConfig(file);
  const driver = await loadDriver(config, file);
  const deployment = await newDeployment(deployments, wanted, { file, config, driver });
  const holder = newUuid();
  // The watcher is there before anything can be left behind.
  const watcher = startWatcher(deployment.id, holder);
  let stored: StoredDeployment;
  try {
    stored = await deployments.start(deployment, holder);
  } catch (error) {
    watcher.dismiss();
    throw error;
  }
  await drive(deployments, stored, { holder, watcher, driver, json });
}

/** Continues or reverts a deployment that no process drives. */
export async function takeDeploymentOver(
  deployments: DeploymentStore,
  id: string,
  revertBecause: string | undefined,
  json: boolean,
): Promise<Outcome | undefined> {
  const holder = newUuid();
  const stored = await deployments.acquire(id, holder);
  if (stored === undefined) return undefined;
  const watcher = startWatcher(id, holder);
  return drive(deployments, stored, { holder, watcher, json, ...(revertBecause && { revertBecause }) });
}

interface Place {
  readonly file: string;
  readonly config: DeployConfig;
  readonly driver: DeploymentDriver;
}

async function newDeployment(
  deployments: DeploymentStore,
  wanted: WantedDeployment,
  { file, config, driver }: Place,
): Promise<NewDeployment> {
  const { current, known } = await revisionsOf(driver);
  const { source } = wanted;
  const isRollback = wanted.strategy === undefined;
  const history = isRollback ? await deployments.history(100) : [];
  const strategy = wanted.strategy ?? rollbackStrategy(history.find(({ state }) => state === 'completed'));
  const revision =
    wanted.revision ??
    (source === undefined ? revisionBefore(current, history, known) : await revisionOf(source));
  if (source === undefined && !known.includes(revision)) {
    const others =
      known.length === 0 ? 'none was deployed yet' : `known are ${known.slice(0, 10).join(', ')}`;
    throw new Problem('not-found', { detail: `There is no revision ${revision}; ${others}.` });
  }
  if (revision === current)
    throw new Problem('usage', { detail: `${revision} serves already; deploy another revision.` });
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
    options: isRollback ? { ...options, stageMs: wanted.options.stageMs ?? 0 } : options,
    actor: currentOperator(),
  };
}

const revisionsMs = 45_000;

/** A driver may wait for more than its signal. */
async function revisionsOf(driver: DeploymentDriver): ReturnType<DeploymentDriver['revisions']> {
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

interface Manner {
  readonly holder: string;
  readonly watcher: { dismiss(): void };
  readonly driver?: DeploymentDriver;
  readonly revertBecause?: string;
  readonly json: boolean;
}

async function drive(
  deployments: DeploymentStore,
  stored: StoredDeployment,
  { holder, watcher, json, ...manner }: Manner,
): Promise<Outcome> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    printToStderr('svc: Interrupted; the deployment is reverted.\n');
    interruption.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  const onStep = (step: Step, isReverting: boolean): void => {
    if (!json && step.do !== 'reach') printToStdout(`${isReverting ? 'revert: ' : ''}${actionText(step)}\n`);
  };
  try {
    const outcome = await driveStored(deployments, stored, holder, {
      ...manner,
      interrupted: interruption.signal,
      onStep,
    });
    watcher.dismiss();
    report(stored, outcome, json);
    return outcome;
  } catch (error) {
    const isOver = await deployments.find(stored.id).then(
      (found) => found?.finishedAt !== undefined || found?.isDriven === false,
      () => false,
    );
    if (isOver) watcher.dismiss();
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt);
  }
}

function report(stored: StoredDeployment, outcome: Outcome, json: boolean): void {
  const { id, strategy, revision, previous } = stored;
  if (json) printToStdout(`${JSON.stringify({ id, strategy, revision, previous, ...outcome })}\n`);
  else if (outcome.state === 'completed') printToStdout(`${outcomeText(stored, outcome)}\n`);
  if (outcome.state === 'completed') return;
  printToStderr(`svc: ${outcomeText(stored, outcome)}\n`);
  process.exitCode = 1;
}
