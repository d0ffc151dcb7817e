import type { Shape } from './hostile-shapes.js';

/** What reads something that came from outside. */
export interface UntrustedParser {
  readonly name: string;
  /** The source that looks into it; nothing else may. */
  readonly in: string;
  /** The most characters that get there. */
  readonly limit: number;
  readonly shapes: readonly Shape[];
  /** The shapes are JSON themselves. */
  readonly isJson?: boolean;
  /** Reads it as a request would have it read; what it throws is an answer, too. */
  readonly read: (text: string) => unknown;
}
