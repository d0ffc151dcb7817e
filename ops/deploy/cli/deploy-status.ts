import { setTimeout as delay } from 'node:timers/promises';
import type { StoredDeployment } from '../deployment-rows.js';
import type { DeploymentStore } from '../deployment-store.js';
import { hasLostReader, printToStdout } from '../../terminal/print.js';
import { progressBar } from '../../terminal/progress-bar.js';
import { lineOf, progressOf, statusText } from './deploy-status-text.js';

const pollMs = 500;

/** Prints the deployment that is in progress, else the last one. */
export async function printStatus(deployments: DeploymentStore, json: boolean): Promise<void> {
  const [last] = await deployments.history(1);
  if (json) printToStdout(`${JSON.stringify(last ?? null)}\n`);
  else printToStdout(last === undefined ? 'There is no deployment.\n' : statusText(last));
}

/** Follows a deployment to its end; exits with 1 when it is reverted. */
export async function watchStatus(deployments: DeploymentStore, json: boolean): Promise<void> {
  const bar = progressBar(process.stdout, 'deploy');
  let shown = '';
  for (;;) {
    const [last] = await deployments.history(1);
    const line = json
      ? JSON.stringify(last ?? null)
      : last === undefined
        ? 'There is no deployment.'
        : lineOf(last);
    const isOver = last === undefined || last.finishedAt !== undefined || !last.isDriven;
    if (line !== shown && (isOver || !process.stdout.isTTY)) {
      bar.clear();
      printToStdout(!isOver || json || last === undefined ? `${line}\n` : statusText(last));
    }
    shown = line;
    if (hasLostReader()) return;
    if (isOver) {
      if (last?.state === 'reverted') process.exitCode = 1;
      return;
    }
    const { done, total, note } = progressOf(last);
    bar.show(done, total, `${note}${ratesOf(last)}`);
    await delay(pollMs);
  }
}

const ratesOf = ({ measured }: StoredDeployment): string => {
  const stage = measured.at(-1);
  return stage === undefined ? '' : `, ${stage.errors} of ${stage.requests} requests failed`;
};

/** Prints the deployments of the store, newest first. */
export async function printHistory(
  deployments: DeploymentStore,
  limit: number,
  json: boolean,
): Promise<void> {
  const list = await deployments.history(limit);
  if (json) printToStdout(`${JSON.stringify(list)}\n`);
  else
    printToStdout(
      list.length === 0 ? 'There is no deployment.\n' : list.map((one) => `${lineOf(one)}\n`).join(''),
    );
}
