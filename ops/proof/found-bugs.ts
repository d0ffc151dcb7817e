/** A bug that a run with faults found: the seed that shows it, and the commit that mends it. */
interface FoundBug {
  readonly run: string;
  readonly seed: number;
  readonly bug: string;
  readonly mended: string;
}

/** Since runs are recorded. Their seeds are run again by `npm run test:full`. */
export const foundBugs: readonly FoundBug[] = [];
