import type { Shape } from './hostile-shapes.js';

/** A parser of untrusted input. */
export interface UntrustedParser {
  readonly name: string;
  /** The only source that may read this input. */
  readonly in: string;
  /** The maximum number of characters that reach it. */
  readonly limit: number;
  readonly shapes: readonly Shape[];
  /** It reads its text as JSON: what `JSON.parse` takes for the same text is the measure. */
  readonly isJson?: boolean;
  /** Parses as a request would; a thrown refusal is an answer, too. */
  readonly read: (text: string) => unknown;
}
