import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import { abortText } from '../attendance.js';
import type { StoredDeployment } from '../deployment-rows.js';
import type { DeploymentStore } from '../deployment-store.js';
import type { AskedOfDeployment, OperatorRequest } from '../journal.js';
import { printToStdout } from '../../terminal/print.js';
import { takeDeploymentOver } from './deploy-run.js';
import { lineOf } from './deploy-status-text.js';

const pollMs = 200;
const answerWithinMs = 10_000;
/** A process that has taken a request writes the new state a moment later. */
const showWithinMs = 3_000;

/** Asks the process that drives the deployment; if there is none, this one continues or reverts it. */
export async function ask(
  deployments: DeploymentStore,
  request: OperatorRequest,
  reason: string | undefined,
  json: boolean,
): Promise<void> {
  const deployment = await deployments.unfinished();
  if (deployment === undefined) throw new Problem('not-found', { detail: 'No deployment is in progress.' });
  if (!deployment.isDriven) return withoutProcess(deployments, deployment, { request, reason }, json);
  if (deployment.state === 'reverting')
    throw new Problem('deployment-conflict', {
      detail: `The deployment of ${deployment.revision} is being reverted.`,
    });
  await deployments.request(deployment.id, request, reason);
  const answered = await answerTo(deployments, deployment, request);
  if (answered.finishedAt === undefined && !answered.isDriven)
    return withoutProcess(deployments, answered, { request, reason }, json);
  printToStdout(json ? `${JSON.stringify(answered)}\n` : `${lineOf(answered)}\n`);
}

async function withoutProcess(
  deployments: DeploymentStore,
  { id, revision }: StoredDeployment,
  { request, reason }: AskedOfDeployment,
  json: boolean,
): Promise<void> {
  if (request === 'pause' || request === 'promote')
    throw new Problem('deployment-conflict', {
      detail: `No process drives the deployment of ${revision}; run svc deploy abort or resume.`,
    });
  const aborts = request === 'abort';
  const outcome = await takeDeploymentOver(deployments, id, aborts ? abortText(reason) : undefined, json);
  if (outcome === undefined)
    throw new Problem('deployment-conflict', {
      detail: 'Another process has just taken over the deployment.',
    });
  // It is what the operator asked for.
  if (aborts && outcome.state === 'reverted') process.exitCode = 0;
}

/** The deployment once its process has taken the request; after an abort, once it is over. */
async function answerTo(
  deployments: DeploymentStore,
  { id, revision, options }: StoredDeployment,
  request: OperatorRequest,
): Promise<StoredDeployment> {
  const asked = performance.now();
  const revertMs = options.holdMs + options.readyMs;
  let answeredAt: number | undefined;
  for (;;) {
    const found = await deployments.find(id);
    if (found === undefined)
      throw new Problem('not-found', { detail: 'The deployment is no longer stored.' });
    if (found.finishedAt !== undefined || !found.isDriven) return found;
    const isAnswered = found.state === 'reverting' || (await deployments.isAnswered(id));
    const now = performance.now();
    if (isAnswered) answeredAt ??= now;
    const isShown =
      request !== 'pause' || found.state === 'paused' || now - (answeredAt ?? now) > showWithinMs;
    if (isAnswered && isShown && request !== 'abort') return found;
    const waitedMs = now - asked;
    if (!isAnswered && waitedMs > answerWithinMs)
      throw silent(revision, `has not answered for ${answerWithinMs / 1_000} s; it keeps the request`);
    if (waitedMs > answerWithinMs + revertMs) throw silent(revision, 'is still reverting it');
    await delay(pollMs);
  }
}

const silent = (revision: string, state: string): Problem =>
  new Problem('deployment-conflict', {
    detail: `The process that drives the deployment of ${revision} ${state}; see svc deploy status.`,
  });
