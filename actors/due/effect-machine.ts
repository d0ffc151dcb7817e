import { setup } from 'xstate';

/** How an attempt ended. */
export type AttemptEnd =
  /** Its events are stored. */
  | 'done'
  /** It was given up, and the effect says with which events. */
  | 'failed'
  /** It is tried again: because it failed, the other system asked for that, or this host stops. */
  | 'retrying'
  | 'later'
  | 'stopped'
  | 'parked'
  /** It was cancelled, replaced, or taken over by another host. */
  | 'gone';

export interface EffectEvent {
  readonly type: 'claimed' | AttemptEnd;
}

/** One request of an effect, from its claim by a host to the end of the attempt. */
export const effectMachine = setup({
  types: { events: {} as EffectEvent },
}).createMachine({
  id: 'effect',
  initial: 'waiting',
  states: {
    // Until its time has come; while it is paused, nobody claims it.
    waiting: { on: { claimed: 'running' } },
    running: {
      on: {
        done: 'done',
        failed: 'failed',
        retrying: 'waiting',
        later: 'waiting',
        stopped: 'waiting',
        parked: 'parked',
        gone: 'gone',
      } satisfies Record<AttemptEnd, string>,
    },
    done: { type: 'final' },
    failed: { type: 'final' },
    // Until an operator releases it.
    parked: { type: 'final' },
    gone: { type: 'final' },
  },
});
