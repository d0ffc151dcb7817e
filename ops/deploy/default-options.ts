import type { DeploymentOptions, Strategy } from './steps.js';

const minute = 60_000;

/** How long each stage of a strategy is watched. */
const stageMs: Readonly<Record<Strategy, number>> = {
  recreate: 0,
  rolling: 10_000,
  'blue-green': minute,
  canary: 5 * minute,
};

/** The numbers of a strategy where nothing else is asked for. */
export const defaultOptions = (strategy: Strategy): Omit<DeploymentOptions, 'oldReplicas'> => ({
  replicas: 10,
  stages: [10, 25, 50, 75, 100],
  stageMs: stageMs[strategy],
  maxErrors: 5,
  minSample: 200,
  holdMs: 60 * minute,
  maxUnavailable: 1,
  maxSurge: 2,
  keep: 1,
  readyMs: 5 * minute,
  stepMs: minute,
  gates: { builtIn: true },
});
