import type { EarlierBuild } from './earlier-build.js';
import type { Section } from './report.js';

export interface SuiteRun {
  readonly rounds: number;
  /** Per measurement. */
  readonly seconds: number | undefined;
  /** The length of the system stream. */
  readonly records?: number | undefined;
  /** Compares our variants with this build. */
  readonly earlier?: EarlierBuild | undefined;
  readonly signal: AbortSignal;
  /** Prints the current step for people who wait. */
  readonly printProgress: (line: string) => void;
}

export type Suite = (run: SuiteRun) => Promise<readonly Section[]>;
