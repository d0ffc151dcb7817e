import { type DeploymentOptions, start, type Steps } from './steps.js';

/** Moves the requests in stages; the old revision keeps all its hosts until the last stage has passed. */
export function* canary({ replicas, stages, stageMs }: DeploymentOptions): Steps {
  yield { do: 'gate', gate: 'pre' };
  let hosts = 0;
  for (const [stage, toNew] of stages.entries()) {
    const wanted = Math.ceil((replicas * toNew) / 100);
    if (wanted > hosts) yield* start('new', wanted);
    hosts = wanted;
    if (stage === 0) yield { do: 'force', enabled: true };
    yield { do: 'set-weights', toNew };
    yield { do: 'reach', toNew };
    yield { do: 'watch', forMs: stageMs, holds: true };
  }
  yield { do: 'gate', gate: 'post' };
  // The checks may take long, and new hosts may have exited meanwhile.
  yield { do: 'await-serving', side: 'new' };
  yield { do: 'force', enabled: false };
  yield { do: 'drain', side: 'old' };
  yield { do: 'scale', side: 'old', replicas: 0 };
}
