import type { StoredDeployment } from '../deployment-rows.js';
import { stepsOf } from '../plan.js';
import { errorRate } from '../watch-stage.js';

/** One deployment with the error rates of its stages. */
export function statusText(deployment: StoredDeployment): string {
  const rows = deployment.measured.map(({ toNew, requests, errors, oldRequests, oldErrors }, at) => [
    String(at + 1),
    `${toNew} %`,
    String(requests),
    errorRate(requests, errors),
    errorRate(oldRequests, oldErrors),
  ]);
  const table =
    rows.length === 0 ? [] : [['stage', 'to new', 'requests', 'errors', 'errors of old'], ...rows];
  return [lineOf(deployment), ...table.map(columns)].map((line) => `${line}\n`).join('');
}

const columns = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(9)).join('  ');

/** One deployment in one line. */
export function lineOf(deployment: StoredDeployment): string {
  const { strategy, revision, previous, state, toNew, reason, actor, startedAt } = deployment;
  const before = previous === undefined ? '' : ` after ${previous}`;
  const share = state === 'completed' ? '' : ` at ${toNew} %`;
  const because = reason === undefined ? '' : `: ${reason}`;
  return `${startedAt.slice(0, 19).replace('T', ' ')}  ${strategy} of ${revision}${before} by ${actor}: ${state}${share}${because}`;
}

/** How far a deployment is: the step in progress, and how many there are. */
export function progressOf({ strategy, options, step, state, toNew }: StoredDeployment) {
  const total = stepsOf(strategy, options).length;
  const done = state === 'completed' ? total : step;
  return { done, total, note: `${state}, ${toNew} % to new` };
}

interface Stage {
  readonly toNew: number;
  readonly forMs: number;
  readonly actions: readonly string[];
}

export const planText = (strategy: string, stages: readonly Stage[]): string =>
  stages
    .map(({ toNew, forMs, actions }, at) => {
      const lines = actions.map((action) => `  ${action}\n`).join('');
      return `${strategy}, stage ${at + 1} of ${stages.length}: ${toNew} % to new for ${forMs / 1_000} s\n${lines}`;
    })
    .join('');
