/** Milliseconds of CPU, over all threads of the process. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Always accepted for one request; below it the JIT and unrelated garbage collection dominate the measurement. */
const alwaysAllowedMs = 50;

const pieces = 4;
/** Linear parsers take as long for the pieces as for the whole; quadratic ones four times as long for the whole. */
const maxTimesPieces = 2.5;
/** Coverage slows down our code, but not JSON.parse. */
const maxTimesJson = process.env['NODE_V8_COVERAGE'] === undefined ? 20 : 60;

/**
 * Works of similar length: a busy machine slows down a long one more than a short one, because other processes take its
 * core and its caches meanwhile.
 */
interface Costs {
  /** For an input of the maximum size. */
  readonly most: number;
  /** For four inputs of a quarter of it. */
  readonly quarters: number;
  /** For as many times `JSON.parse` of the same number of bytes as a parser may take. */
  readonly jsons: number;
}

/** The reason why a cost is too high; undefined if it is not. */
export function costProblemIn({ quarters, most, jsons }: Costs): string | undefined {
  if (most <= alwaysAllowedMs) return undefined;
  const [took, inPieces, parsed] = [most, quarters, jsons].map((ms) => `${ms.toFixed(1)} ms`);
  // The garbage of many small values grows faster than their number: JSON.parse pays for it, too.
  if (most > maxTimesPieces * quarters && most > jsons / 2)
    return `it took ${took}, and ${inPieces} in ${pieces} pieces`;
  return most > jsons ? `it took ${took}, and JSON.parse ${parsed} for ${maxTimesJson} times` : undefined;
}

async function repeated(times: number, work: () => unknown): Promise<void> {
  for (let n = 0; n < times; n++) await work();
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
  let least: Costs = { quarters: Infinity, most: Infinity, jsons: Infinity };
  for (let n = 0; n < tries; n++) {
    const took = await cpuOf(() => read(most));
    if (took <= alwaysAllowedMs) return undefined;
    const [smaller, text] = [quarter(), json()];
    const costs = {
      most: took,
      quarters: await cpuOf(() => repeated(pieces, () => read(smaller))),
      jsons: await cpuOf(() => repeated(maxTimesJson, () => tryToParse(text))),
    };
    least = {
      most: Math.min(least.most, costs.most),
      quarters: Math.min(least.quarters, costs.quarters),
      jsons: Math.min(least.jsons, costs.jsons),
    };
    if (costProblemIn(costs) === undefined || costProblemIn(least) === undefined) return undefined;
  }
  return costProblemIn(least);
}
