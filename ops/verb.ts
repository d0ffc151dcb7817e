/** One word after `svc`. */
export interface Verb {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** With an example. */
  readonly help: string;
  run(args: readonly string[]): Promise<void>;
}
