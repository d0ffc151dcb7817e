import type { Section } from './report.js';

export interface SuiteRun {
  readonly rounds: number;
  /** Per measurement. */
  readonly seconds: number | undefined;
  /** The length of the system stream. */
  readonly records?: number | undefined;
  /** Sizes of histories, tables and loads are multiplied by it. */
  readonly scale: number;
  /** Peers are left out. */
  readonly isAlone: boolean;
  readonly signal: AbortSignal;
  /** Prints the current step for people who wait. */
  readonly printProgress: (line: string) => void;
}

export type Suite = (run: SuiteRun) => Promise<readonly Section[]>;

export const scaled = (size: number, { scale }: Pick<SuiteRun, 'scale'>): number =>
  Math.max(1, Math.round(size * scale));
