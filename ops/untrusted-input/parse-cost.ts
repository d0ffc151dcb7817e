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
const tries = 20;

/**
 * The faults in the costs of reading these inputs; each cost is the minimum of several attempts, which end when all are
 * fine.
 */
export async function costProblemOf<T>(
  read: (input: T) => unknown,
  { quarter, most }: { readonly quarter: T; readonly most: T },
  sameInJson: string,
): Promise<string | undefined> {
  let costs: Costs = { quarter: Infinity, most: Infinity, json: Infinity };
  let problem: string | undefined;
  for (let n = 0; n < tries; n++) {
    costs = {
      quarter: Math.min(costs.quarter, await cpuOf(() => read(quarter))),
      most: Math.min(costs.most, await cpuOf(() => read(most))),
      json: Math.min(costs.json, await cpuOf(() => tryToParse(sameInJson))),
    };
    problem = costProblemIn(costs);
    if (problem === undefined) return undefined;
  }
  return problem;
}
