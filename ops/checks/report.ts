import { reasonOnOneLine } from '../../actors/health/reason-on-one-line.js';
import { withTimeout } from '../../runtime/lang/with-timeout.js';

/** The outcome of one check of a gate. */
export interface CheckOutcome {
  readonly name: string;
  readonly ok: boolean;
  /** One line. */
  readonly detail: string;
}

/** The outcome of a gate: it is open only if every check passed. */
export interface CheckReport {
  readonly ok: boolean;
  readonly checks: readonly CheckOutcome[];
}

export const reportOf = (checks: readonly CheckOutcome[]): CheckReport => ({
  ok: checks.every(({ ok }) => ok),
  checks,
});

/** The advice of the longest finding fits. */
const maxDetail = 1_000;

export const passed = (name: string, detail: string): CheckOutcome => ({ name, ok: true, detail });
export const failed = (name: string, reason: unknown): CheckOutcome => ({
  name,
  ok: false,
  detail: reasonOnOneLine(reason, maxDetail),
});

/** Runs one check within its time; what it throws is its failure. */
export async function checked(
  name: string,
  atMostMs: number,
  check: () => Promise<string | CheckOutcome>,
): Promise<CheckOutcome> {
  try {
    const result = await withTimeout(atMostMs, check());
    return typeof result === 'string' ? passed(name, result) : result;
  } catch (error) {
    return failed(name, error);
  }
}

/** One line per check. */
export function reportText({ checks }: CheckReport): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${detail}`)
    .join('\n');
}
