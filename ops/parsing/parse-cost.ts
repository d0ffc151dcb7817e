/** Milliseconds of CPU that it takes, all threads of the process counted. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What one request may always take; below it the compiler and the garbage of others are most of what is measured. */
const alwaysAllowedMs = 50;

/** Counting coverage slows our code down, but not JSON.parse. */
const maxTimesJson = process.env['NODE_V8_COVERAGE'] === undefined ? 20 : 60;

interface Costs {
  /** For a quarter of the most that is taken. */
  readonly quarter: number;
  readonly most: number;
  /** `JSON.parse` of as many bytes. */
  readonly json: number;
}

/** Why something costs too much; undefined when it does not. */
export function costProblemIn({ quarter, most, json }: Costs): string | undefined {
  if (most <= alwaysAllowedMs) return undefined;
  const [took, before, parsed] = [most, quarter, json].map((ms) => `${ms.toFixed(1)} ms`);
  // The garbage of many small values grows faster than they do: JSON.parse pays for it, too.
  if (most > 5 * quarter && most > 10 * json) return `four times the size took ${took} instead of ${before}`;
  return most > maxTimesJson * json
    ? `it took ${took}, over ${maxTimesJson} times JSON.parse (${parsed})`
    : undefined;
}

const tries = 6;

/** What is wrong with the costs of reading these; each is the least of several tries, which end when all is well. */
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
      json: Math.min(costs.json, await cpuOf(() => JSON.parse(sameInJson) as unknown)),
    };
    problem = costProblemIn(costs);
    if (problem === undefined) return undefined;
  }
  return problem;
}
