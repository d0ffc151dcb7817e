import { type DeploymentOptions, start, type Steps } from './steps.js';

/** Stops every old host before a new one starts: for a migration that both cannot share. */
export function* recreate({ replicas, stageMs, oldReplicas }: DeploymentOptions): Steps {
  yield { do: 'gate', gate: 'pre' };
  if (oldReplicas > 0) {
    yield { do: 'scale', side: 'old', replicas: 0 };
    yield { do: 'await-stopped', side: 'old' };
  }
  yield* start('new', replicas);
  yield { do: 'switch', to: 'new' };
  yield { do: 'reach', toNew: 100 };
  yield { do: 'watch', forMs: stageMs, holds: false };
  yield { do: 'gate', gate: 'post' };
}
