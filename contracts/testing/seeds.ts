/** `npm run test:full` sets it; other runs check only part of a long property. */
const isFullRun = process.env['SVC_TEST_FULL'] === '1';

/** How many cases of a property are checked. */
export const seeds = (few: number, all: number): number => (isFullRun ? all : few);

/** For a slow property: a fixed number of cases, or in a full run all that the given time allows. */
export const seedsWithin = (
  few: number,
  all: number,
  fullRunMs: number,
): { readonly numRuns: number; readonly interruptAfterTimeLimit?: number } =>
  isFullRun ? { numRuns: all, interruptAfterTimeLimit: fullRunMs } : { numRuns: few };
