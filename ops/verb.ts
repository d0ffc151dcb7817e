/** A verb of `svc`. */
export interface Verb {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Ends with an example. */
  readonly help: string;
  run(args: readonly string[]): Promise<void>;
}
