/** A verb of `svc`. */
export interface Verb {
  /** Ends with an example. */
  readonly help: string;
  run(args: readonly string[]): Promise<void>;
}
