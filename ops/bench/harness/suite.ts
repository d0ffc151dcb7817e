import type { Build } from './builds.js';
import type { Section } from './report.js';

export interface SuiteRun {
  readonly rounds: number;
  /** Per measurement. */
  readonly seconds: number | undefined;
  /** How long a system stream is wanted. */
  readonly records?: number | undefined;
  /** Compare what is ours with this build. */
  readonly earlier?: Build | undefined;
  readonly signal: AbortSignal;
  /** What is being done, for people who wait. */
  readonly tell: (line: string) => void;
}

export type Suite = (run: SuiteRun) => Promise<readonly Section[]>;
