import { newUuid } from '../../../contracts/uuid.js';
import type { StoredDeployment } from '../deployment-rows.js';
import type { DeploymentStore } from '../deployment-store.js';
import type { Outcome } from '../engine.js';
import { actionText } from '../plan.js';
import type { Step } from '../steps.js';
import type { DeploymentDriver } from '../target.js';
import { printToStderr, printToStdout } from '../../terminal/print.js';
import type { WantedDeployment } from './deploy-arguments.js';
import { driveStored, outcomeText } from './deploy-drive.js';
import { newDeployment } from './deploy-new.js';
import { startWatcher } from './deploy-watcher.js';

/** Starts a deployment and drives it to its end or back. */
export async function runNewDeployment(
  deployments: DeploymentStore,
  wanted: WantedDeployment,
  json: boolean,
): Promise<void> {
  const { deployment, driver } = await newDeployment(deployments, wanted);
  const holder = newUuid();
  await interruptible(async (interrupted) => {
    // The watcher is there before anything can be left behind.
    const watcher = startWatcher(deployment.id, holder);
    let stored: StoredDeployment;
    try {
      stored = await deployments.start(deployment, holder);
    } catch (error) {
      watcher.dismiss();
      throw error;
    }
    return drive(deployments, stored, { holder, watcher, driver, json, interrupted });
  });
}

/** Continues or reverts a deployment that no process drives. */
export async function takeDeploymentOver(
  deployments: DeploymentStore,
  id: string,
  revertBecause: string | undefined,
  json: boolean,
): Promise<Outcome | undefined> {
  const holder = newUuid();
  return interruptible(async (interrupted) => {
    const stored = await deployments.acquire(id, holder);
    if (stored === undefined) return undefined;
    const watcher = startWatcher(id, holder);
    const manner = { holder, watcher, json, interrupted };
    return drive(deployments, stored, { ...manner, ...(revertBecause && { revertBecause }) });
  });
}

/** From before the deployment is stored or taken, so that no signal ends a process that holds one. */
async function interruptible<Result>(body: (interrupted: AbortSignal) => Promise<Result>): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    printToStderr('svc: Interrupted; the deployment is reverted.\n');
    interruption.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    return await body(interruption.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, interrupt);
  }
}

interface Manner {
  readonly holder: string;
  readonly watcher: { dismiss(): void };
  readonly driver?: DeploymentDriver;
  readonly revertBecause?: string;
  readonly json: boolean;
  readonly interrupted: AbortSignal;
}

async function drive(
  deployments: DeploymentStore,
  stored: StoredDeployment,
  { holder, watcher, json, ...manner }: Manner,
): Promise<Outcome> {
  const onStep = (step: Step, isReverting: boolean): void => {
    if (!json && step.do !== 'reach') printToStdout(`${isReverting ? 'revert: ' : ''}${actionText(step)}\n`);
  };
  try {
    const outcome = await driveStored(deployments, stored, holder, { ...manner, onStep });
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
