import { type DeploymentOptions, hostsAfter, shareAfter, type Step, type Steps } from './steps.js';
import type { Report } from './target.js';

/**
 * Makes true again what the steps before the current one have achieved: since the last process ended, hosts may have
 * stopped and the front may have restarted. `seen`: undefined if the front did not answer.
 */
export function* restore(options: DeploymentOptions, done: readonly Step[], seen: Report | undefined): Steps {
  const hosts = hostsAfter(options, done);
  const toNew = shareAfter(done);
  // A side without requests is not started again: what needs it starts it.
  const sides = toNew === 100 ? (['new'] as const) : (['old', 'new'] as const);
  for (const side of sides) {
    const replicas = hosts[side];
    if (replicas === 0) continue;
    if (seen === undefined || seen[side].replicas < replicas) yield { do: 'scale', side, replicas };
    yield { do: 'await-ready', side, replicas };
  }
  if (isForcedAfter(done)) yield { do: 'force', enabled: true };
  const isServed = options.oldReplicas > 0 || toNew > 0;
  if (isServed && seen?.toNew !== toNew) yield { do: 'set-weights', toNew };
}

const isForcedAfter = (steps: readonly Step[]): boolean =>
  steps.findLast((step) => step.do === 'force')?.enabled === true;
