/** A verb of `svc`. */
export interface Verb {
  /** Ends with an example. */
  readonly help: string;
  run(args: readonly string[]): Promise<void>;
  /** Whether the process ends with it, even if something that was given up still waits. */
  readonly endsProcess?: boolean;
}
