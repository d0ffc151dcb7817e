/** What a worker reports to the runner, as lines of JSON on a pipe of its own: tests may print whatever they like. */
export type Message = { readonly started: string } | { readonly finished: Report };

export interface Report {
  readonly tests: number;
  readonly passed: number;
  readonly problems: readonly string[];
  /** What the file has left behind; the worker then ends, because it would disturb the next file. */
  readonly left: readonly string[];
}

export const messagePipe = 3;

/** Where a worker reads the paths of its files, one line of JSON each; it ends when there are no more. */
export const filePipe = 4;
