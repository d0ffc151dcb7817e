import { type DeploymentOptions, start, type Steps } from './steps.js';

/** Switches all requests at once; the old environment has all its hosts until the checks have passed, then a few. */
export function* blueGreen({ replicas, stageMs, oldReplicas, keep }: DeploymentOptions): Steps {
  yield { do: 'gate', gate: 'pre' };
  yield* start('new', replicas);
  yield { do: 'force', enabled: true };
  yield { do: 'switch', to: 'new' };
  yield { do: 'reach', toNew: 100 };
  yield { do: 'watch', forMs: stageMs, holds: false };
  yield { do: 'gate', gate: 'post' };
  yield { do: 'await-serving', side: 'new' };
  yield { do: 'force', enabled: false };
  yield { do: 'drain', side: 'old' };
  yield { do: 'scale', side: 'old', replicas: Math.min(keep, oldReplicas) };
}
