import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import { readDeployConfig } from '../deploy-config.js';
import { type DeploymentStore, leaseSeconds, leftText } from '../deployment-store.js';
import { printToStdout } from '../../terminal/print.js';
import type { WantedDeployment } from './deploy-arguments.js';
import { loadDriver } from './deploy-driver.js';
import { revisionsOf } from './deploy-new.js';
import { configFileOf } from './deploy-plan.js';
import { runNewDeployment, takeDeploymentOver } from './deploy-run.js';

const pollMs = 500;

/**
 * Starts the revision that served before the machine went down. The checks are skipped: the revision has passed them, and
 * nothing serves until it runs.
 */
export async function startServed(
  deployments: DeploymentStore,
  config: string | undefined,
  json: boolean,
): Promise<void> {
  await revertLeft(deployments, json);
  const last = (await deployments.history(1_000)).find(({ state }) => state === 'completed');
  if (last === undefined) return print({ started: false }, 'No revision has been deployed yet.', json);
  const { revision, options } = last;
  const wanted: WantedDeployment = {
    strategy: 'recreate',
    source: undefined,
    revision,
    config: config ?? last.config,
    options: { replicas: options.replicas },
    pre: undefined,
    post: undefined,
    url: undefined,
    skipsChecks: true,
    dryRun: false,
  };
  const file = await configFileOf(wanted);
  const { current } = await revisionsOf(await loadDriver(await readDeployConfig(file), file));
  if (current !== undefined)
    return print({ started: false, revision: current }, `${current} is already serving.`, json);
  await runNewDeployment(deployments, wanted, json);
}

/** Reverts a deployment that was in progress: its process and its watcher ended with the machine, and its lease expires soon. */
async function revertLeft(deployments: DeploymentStore, json: boolean): Promise<void> {
  for (let leftMs = leaseSeconds * 1_000; ; leftMs -= pollMs) {
    const left = await deployments.unfinished();
    if (left === undefined) return;
    if (!left.isDriven || leftMs <= 0) {
      const outcome = await takeDeploymentOver(deployments, left.id, 'the machine was restarted', json);
      if (outcome === undefined) throw new Problem('deployment-conflict', { detail: `${leftText(left)}.` });
      // The revert is a success here.
      process.exitCode = 0;
      return;
    }
    await delay(pollMs);
  }
}

const print = (data: object, text: string, json: boolean): void =>
  printToStdout(`${json ? JSON.stringify(data) : text}\n`);
