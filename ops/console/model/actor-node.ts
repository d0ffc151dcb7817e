export interface ActorNode {
  readonly name: string;
  readonly state: string;
  readonly restarts?: number | undefined;
  readonly since?: string | undefined;
  readonly lastError?: string | undefined;
  /** The state of its own statechart, if it has one. */
  readonly ownState?: string | undefined;
  /** Of a reaction or process: how many of its followers are in each state. */
  readonly followers?: { readonly of: string; readonly states: Readonly<Record<string, number>> } | undefined;
  readonly mailbox?: { readonly depth: number; readonly limit: number } | undefined;
  readonly children?: readonly ActorNode[] | undefined;
}
