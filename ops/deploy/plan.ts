import { blueGreen } from './blue-green.js';
import { canary } from './canary.js';
import { recreate } from './recreate.js';
import { rolling } from './rolling.js';
import type { DeploymentOptions, Step, Strategy } from './steps.js';

const generators = { recreate, rolling, 'blue-green': blueGreen, canary };

/** Without an old revision there is nothing to move requests from. */
export const stepsOf = (strategy: Strategy, options: DeploymentOptions): readonly Step[] => [
  ...(options.oldReplicas === 0 ? recreate : generators[strategy])(options),
];

/** One stage of a plan, as `--dry-run --json` prints it. */
interface PlannedStage {
  readonly toNew: number;
  readonly forMs: number;
  readonly actions: readonly string[];
}

/** Steps before a stage belong to it, those after the last one to the last one. */
export function planOf(steps: readonly Step[]): readonly PlannedStage[] {
  const stages: { toNew: number; forMs: number; actions: string[] }[] = [];
  let toNew = 0;
  let actions: string[] = [];
  for (const step of steps) {
    if (step.do === 'reach') ({ toNew } = step);
    else actions.push(actionText(step));
    if (step.do !== 'watch') continue;
    stages.push({ toNew, forMs: step.forMs, actions });
    actions = [];
  }
  stages.at(-1)?.actions.push(...actions);
  return stages;
}

/** What a step does, in a few words. */
export function actionText(step: Step): string {
  switch (step.do) {
    case 'gate':
      return `run the ${step.gate}-deployment checks`;
    case 'scale':
      return step.replicas === 0
        ? `stop the ${step.side} hosts`
        : `scale ${step.side} to ${hostsText(step.replicas)}`;
    case 'await-ready':
      return `wait until ${hostsText(step.replicas)} of ${step.side} ${step.replicas === 1 ? 'is' : 'are'} ready`;
    case 'await-serving':
      return `wait until all hosts of ${step.side} are ready`;
    case 'await-stopped':
      return `wait until no ${step.side} host serves`;
    case 'force':
      return step.enabled ? 'let the header x-canary choose' : 'ignore the header x-canary';
    case 'set-weights':
      return `send ${step.toNew} % to new`;
    case 'switch':
      return `switch all traffic to ${step.to}`;
    case 'drain':
      return `drain ${step.side}`;
    case 'reach':
      return `record ${step.toNew} %`;
    case 'watch':
      return 'watch the error rate';
  }
}

const hostsText = (count: number): string => (count === 1 ? '1 host' : `${count} hosts`);
