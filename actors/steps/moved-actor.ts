import type { AnyStateMachine } from 'xstate';

/** What an inspector is shown of an instance of a process or a request of an effect; never its context. */
export interface MovedActor {
  readonly name: string;
  readonly key: string;
  readonly machine: AnyStateMachine;
  /** The events that it took, oldest first. */
  readonly steps: readonly { readonly event: string; readonly to: string }[];
  readonly hasEnded: boolean;
}
