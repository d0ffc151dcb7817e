/** What a child tells the runner, as lines of JSON on a pipe of its own: tests may print whatever they like. */
export type Message = { readonly started: string } | { readonly finished: Report };

export interface Report {
  readonly tests: number;
  readonly passed: number;
  readonly problems: readonly string[];
}

export const messagePipe = 3;
