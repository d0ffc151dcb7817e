import type { KeptPlan } from '../../runtime/stuck/repair-stuck.js';
import { progressBar } from '../terminal/progress-bar.js';

/** Carries a plan out with a line of progress. The token is printed first: with it, `svc stuck` continues the plan. */
export async function carryOutShown<T>(
  { action, token, count }: KeptPlan,
  carryOut: (progress: (repaired: number) => void) => Promise<T>,
  output: Parameters<typeof progressBar>[0] = process.stderr,
): Promise<T> {
  if (count > 0) output.write(`svc: plan ${token}: ${count} to ${action}\n`);
  const bar = progressBar(output, action);
  try {
    return await carryOut((sum) => bar.show(sum, count, `${sum} of ${count}`));
  } finally {
    bar.clear();
  }
}
