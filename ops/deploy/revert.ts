import { batches } from './rolling.js';
import { type DeploymentOptions, start, type Step, type Steps, type Strategy } from './steps.js';
import type { Side } from './target.js';

/** Leads from any point of a deployment back to the old revision. `begun`: its steps up to the one under way. */
export function* revert(strategy: Strategy, options: DeploymentOptions, begun: readonly Step[]): Steps {
  if (begun.every((step) => step.do === 'gate')) return;
  const hosts = hostsAfter(options, begun);
  if (options.oldReplicas === 0) yield { do: 'scale', side: 'new', replicas: 0 };
  else if (strategy === 'recreate') yield* recreateOld(options);
  else if (strategy === 'rolling') yield* rollBack(options, hosts);
  else yield* moveBack(strategy, options, hosts.old);
}

function* recreateOld({ oldReplicas }: DeploymentOptions): Steps {
  yield { do: 'scale', side: 'new', replicas: 0 };
  yield { do: 'await-stopped', side: 'new' };
  yield* start('old', oldReplicas);
  yield { do: 'switch', to: 'old' };
}

function* rollBack(options: DeploymentOptions, hosts: Readonly<Record<Side, number>>): Steps {
  for (const { steps } of batches('old', hosts, options.oldReplicas, options)) yield* steps;
}

/** While the old revision has all its hosts, its requests come back first. */
function* moveBack(strategy: Strategy, { oldReplicas }: DeploymentOptions, left: number): Steps {
  if (left < oldReplicas) yield* start('old', oldReplicas);
  yield strategy === 'canary' ? { do: 'set-weights', toNew: 0 } : { do: 'switch', to: 'old' };
  yield { do: 'force', enabled: false };
  yield { do: 'drain', side: 'new' };
  yield { do: 'scale', side: 'new', replicas: 0 };
}

/** What the steps asked for; the last one may not have happened. */
function hostsAfter({ oldReplicas }: DeploymentOptions, steps: readonly Step[]): Record<Side, number> {
  const hosts = { old: oldReplicas, new: 0 };
  for (const step of steps) if (step.do === 'scale') hosts[step.side] = step.replicas;
  return hosts;
}
