import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';

/** The rows were folded from events that the log no longer holds. */
export const aheadOfLogProblem = (name: string, position: Long, head: Long): Problem =>
  new Problem('unexpected', {
    detail: `it has read up to ${position} and the log ends at ${head}: the database went back; run svc perspectives rebuild ${name} --mode InPlace`,
  });
