import { log } from '../../runtime/logging/log.js';
import { admission } from './admission.js';
import { deployments } from './deployments.js';
import { dueWork } from './due-work.js';
import type { EngineRun } from './engine-run.js';
import { keyLines } from './key-lines.js';
import { reactions } from './reactions.js';
import { relay } from './relay.js';
import { inSimulatedTime } from './simulated-globals.js';
import { SimulatedTime } from './simulated-time.js';

/** Each runs what we have written above PostgreSQL, in a time of its own. */
const engines = { reactions, keyLines, dueWork, relay, admission, deployments } as const;
export type EngineName = keyof typeof engines;
export const engineNames = Object.keys(engines) as readonly EngineName[];

interface SeedRun extends EngineRun {
  readonly steps: number;
  /** The same for the same seed, and for no other. */
  readonly digest: number;
}

/** Runs an engine with a seed: the same seed gives the same run. */
export async function simulateSeed(engine: EngineName, seed: number): Promise<SeedRun> {
  const time = new SimulatedTime(seed);
  const { level } = log;
  // What fails here fails on purpose.
  log.level = 'silent';
  try {
    const run = await inSimulatedTime(time, () => engines[engine](time));
    return { ...run, steps: time.steps, digest: time.digest };
  } finally {
    log.level = level;
  }
}
