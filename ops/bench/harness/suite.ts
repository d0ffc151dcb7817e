import type { EarlierBuild } from './earlier-build.js';
import type { Section } from './report.js';

export interface SuiteRun {
  readonly rounds: number;
  /** Per measurement. */
  readonly seconds: number | undefined;
  /** How long a system stream is wanted. */
  readonly records?: number | undefined;
  /** Compare what is ours with this build. */
  readonly earlier?: EarlierBuild | undefined;
  readonly signal: AbortSignal;
  /** What is being done, for people who wait. */
  readonly printProgress: (line: string) => void;
}

export type Suite = (run: SuiteRun) => Promise<readonly Section[]>;
