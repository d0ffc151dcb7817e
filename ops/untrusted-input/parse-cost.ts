/** Milliseconds of CPU, over all threads of the process. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Always accepted for one request; below it the JIT and unrelated garbage collection dominate the measurement. */
const alwaysAllowedMs = 50;

/** Coverage slows down our code, but not JSON.parse. */
const maxTimesJson = process.env['NODE_V8_COVERAGE'] === undefined ? 20 : 60;

interface Costs {
  /** For a quarter of the maximum size. */
  readonly quarter: number;
  readonly most: number;
  /** `JSON.parse` of the same number of bytes. */
  readonly json: number;
}

/** The reason why a cost is too high; undefined if it is not. */
export function costProblemIn({ quarter, most, json }: Costs): string | undefined {
  if (most <= alwaysAllowedMs) return undefined;
  const [took, before, parsed] = [most, quarter, json].map((ms) => `${ms.toFixed(1)} ms`);
  // The garbage of many small values grows faster than their number: JSON.parse pays for it, too.
  if (most > 5 * quarter && most > 10 * json) return `four times the size took ${took} instead of ${before}`;
  return most > maxTimesJson * json
    ? `it took ${took}, over ${maxTimesJson} times JSON.parse (${parsed})`
    : undefined;
}

function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is refused has been read.
    return undefined;
  }
}

/** Other processes share cores and caches: one quiet attempt is enough. */
const manyTries = 20;

/** An input that is made when it is first needed. */
interface Inputs<T> {
  readonly most: T;
  readonly quarter: () => T;
  /** A JSON text of the same length as the longest. */
  readonly json: () => string;
}

/**
 * The fault in the costs of reading these inputs. An attempt compares costs of the same moment; they are accepted when
 * one attempt is fine, or the smallest costs of all.
 */
export async function costProblemOf<T>(
  read: (input: T) => unknown,
  { most, quarter, json }: Inputs<T>,
  tries = manyTries,
): Promise<string | undefined> {
  let least: Costs = { quarter: Infinity, most: Infinity, json: Infinity };
  for (let n = 0; n < tries; n++) {
    const took = await cpuOf(() => read(most));
    if (took <= alwaysAllowedMs) return undefined;
    const [smaller, text] = [quarter(), json()];
    const costs = {
      most: took,
      quarter: await cpuOf(() => read(smaller)),
      json: await cpuOf(() => tryToParse(text)),
    };
    least = {
      most: Math.min(least.most, costs.most),
      quarter: Math.min(least.quarter, costs.quarter),
      json: Math.min(least.json, costs.json),
    };
    if (costProblemIn(costs) === undefined || costProblemIn(least) === undefined) return undefined;
  }
  return costProblemIn(least);
}
