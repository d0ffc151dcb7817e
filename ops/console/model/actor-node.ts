export interface ActorNode {
  readonly name: string;
  readonly state: string;
  readonly restarts?: number | undefined;
  readonly since?: string | undefined;
  readonly lastError?: string | undefined;
  /** The state of its own statechart, if it has one. */
  readonly ownState?: string | undefined;
  readonly mailbox?: { readonly depth: number; readonly limit: number } | undefined;
  readonly children?: readonly ActorNode[] | undefined;
}
