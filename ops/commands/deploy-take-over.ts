import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import { failpoint } from '../../runtime/failpoint.js';
import { printToStderr } from '../print.js';
import { driveStored, outcomeText } from './deploy-drive.js';
import { withDeployments } from './deploy-store.js';

const longestPauseMs = 30_000;
const giveUpAfterMs = 24 * 3_600_000;

/** Reverts a deployment whose command has ended; tries again while the store or the front does not answer. */
export async function takeOver(id: string, from: string): Promise<void> {
  failpoint('deploy-take-over');
  const until = Date.now() + giveUpAfterMs;
  const holder = newUuid();
  for (let pauseMs = 200; Date.now() < until; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      await revertOf(id, holder, from);
      return;
    } catch (error) {
      if (error instanceof Problem && error.code.startsWith('deployment-')) return;
      printToStderr(`svc: The deployment cannot be reverted yet: ${String(error)}\n`);
    }
    await delay(pauseMs);
  }
}

const revertOf = (id: string, holder: string, from: string): Promise<void> =>
  withDeployments(async (deployments) => {
    const deployment =
      (await deployments.acquire(id, holder, from)) ?? (await deployments.acquire(id, holder, holder));
    if (deployment === undefined) return;
    printToStderr(`svc: The deploy command of ${deployment.revision} ended; its deployment is reverted.\n`);
    const outcome = await driveStored(deployments, deployment, holder, {
      revertBecause: 'the deploy command ended before the deployment did',
    });
    printToStderr(`svc: ${outcomeText(deployment, outcome)}\n`);
  });
