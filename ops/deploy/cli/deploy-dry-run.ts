import { withTimeout } from '../../../runtime/lang/with-timeout.js';
import { readDeployConfig } from '../deploy-config.js';
import type { DeploymentStore } from '../deployment-store.js';
import { planOf, stepsOf } from '../plan.js';
import type { DeploymentOptions, Strategy } from '../steps.js';
import type { DeploymentDriver } from '../target.js';
import { printToStdout } from '../../terminal/print.js';
import type { WantedDeployment } from './deploy-arguments.js';
import { checkDriver } from './deploy-driver.js';
import { newDeployment } from './deploy-new.js';
import { configFileOf, isThere, optionsFor } from './deploy-plan.js';
import { planText } from './deploy-status-text.js';

/** Prints what a deployment would do; touches nothing, and needs no store. */
export async function printPlan(wanted: WantedDeployment, strategy: Strategy, json: boolean): Promise<void> {
  const file = await configFileOf(wanted);
  const isNeeded = wanted.config !== undefined || (await isThere(file));
  const config = isNeeded ? await readDeployConfig(file) : undefined;
  const driver = config === undefined ? undefined : await checkDriver(config, file);
  const options = optionsFor(strategy, wanted, config);
  const isFirst = driver !== undefined && (await servesNothing(driver));
  print(strategy, isFirst ? { ...options, oldReplicas: 0 } : options, json);
}

/** The store knows what a rollback would deploy, and how. */
export async function printRollbackPlan(
  deployments: DeploymentStore,
  wanted: WantedDeployment,
  json: boolean,
): Promise<void> {
  const { strategy, options, previous } = (await newDeployment(deployments, wanted)).deployment;
  print(strategy, previous === undefined ? { ...options, oldReplicas: 0 } : options, json);
}

function print(strategy: Strategy, options: DeploymentOptions, json: boolean): void {
  const plan = planOf(stepsOf(strategy, options));
  // Without an old revision every strategy only starts hosts.
  const name = options.oldReplicas === 0 ? 'recreate' : strategy;
  printToStdout(json ? `${JSON.stringify(plan, undefined, 2)}\n` : planText(name, plan));
}

const revisionsMs = 5_000;

/** A front that does not answer may serve a revision. */
async function servesNothing(driver: DeploymentDriver): Promise<boolean> {
  const giveUp = new AbortController();
  try {
    return (await withTimeout(revisionsMs, driver.revisions(giveUp.signal))).current === undefined;
  } catch {
    return false;
  } finally {
    giveUp.abort();
  }
}
