import { reasonOnOneLine } from '../../../actors/health/reason-on-one-line.js';
import { Problem } from '../../../contracts/problems.js';
import { newUuid } from '../../../contracts/uuid.js';
import { failpoint } from '../../../runtime/lang/failpoint.js';
import { type Clock, systemClock } from '../clock.js';
import { printToStderr } from '../../terminal/print.js';
import { driveStored, outcomeText } from './deploy-drive.js';
import { withDeployments } from './deploy-store.js';

const longestPauseMs = 30_000;
const giveUpAfterMs = 24 * 3_600_000;

/** Reverts a deployment whose command has ended; tries again while the store or the front does not answer. */
export async function takeOver(id: string, from: string): Promise<void> {
  failpoint('deploy-take-over');
  const holder = newUuid();
  await persistently(() => revertOf(id, holder, from));
}

/** Repeats what fails, for a day of a clock that only grows: one that jumps ahead must not end the attempts. */
export async function persistently(attempt: () => Promise<void>, clock: Clock = systemClock): Promise<void> {
  const until = clock.now() + giveUpAfterMs;
  for (let pauseMs = 200; clock.now() < until; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Problem && error.code.startsWith('deployment-')) return;
      printToStderr(`svc: The deployment cannot be reverted yet: ${reasonOnOneLine(error)}\n`);
    }
    await clock.sleep(pauseMs);
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
