import { type EngineName, engineNames, simulateSeed } from './simulate-seed.js';

interface SimulationOptions {
  readonly seed: number;
  /** Undefined: this seed alone; otherwise also those after it, for so long. */
  readonly minutes: number | undefined;
  readonly printProgress: (line: string) => void;
}

interface SimulationReport {
  readonly seed: number;
  readonly seeds: number;
  readonly steps: number;
  readonly faults: number;
  readonly seconds: number;
  /** The rules that were broken, with the engine and the seed that repeats it. */
  readonly found: readonly string[];
  readonly ok: boolean;
}

const msPerMinute = 60_000;

/** Runs every engine with a seed, in a simulated time and without any server. */
export async function runSimulation({
  seed,
  minutes = 0,
  printProgress,
}: SimulationOptions): Promise<SimulationReport> {
  const started = performance.now();
  const found: string[] = [];
  let [seeds, steps, faults] = [0, 0, 0];
  do {
    for (const engine of engineNames) {
      const run = await simulateSeed(engine, seed + seeds);
      steps += run.steps;
      faults += run.faults;
      for (const rule of run.found) found.push(broken(engine, seed + seeds, rule, printProgress));
    }
    seeds++;
  } while (performance.now() - started < minutes * msPerMinute);
  const seconds = Math.round((performance.now() - started) / 1_000);
  return { seed, seeds, steps, faults, seconds, found, ok: found.length === 0 };
}

function broken(
  engine: EngineName,
  seed: number,
  rule: string,
  printProgress: SimulationOptions['printProgress'],
): string {
  const line = `${engine}, seed ${seed}: ${rule}`;
  printProgress(line);
  return line;
}
