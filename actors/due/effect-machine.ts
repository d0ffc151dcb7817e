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

/** The state of a request after an attempt. Hosts read it here: XState's interpreter costs 300 µs for each attempt. */
export const stateAfter = {
  done: 'done',
  failed: 'failed',
  retrying: 'waiting',
  later: 'waiting',
  stopped: 'waiting',
  parked: 'parked',
  gone: 'gone',
} as const satisfies Record<AttemptEnd, string>;

/** One request of an effect, from its claim by a host to the end of the attempt. */
export const effectMachine = setup({
  types: { events: {} as { readonly type: 'claimed' | AttemptEnd } },
}).createMachine({
  id: 'effect',
  initial: 'waiting',
  states: {
    // Until its time has come; while it is paused, nobody claims it.
    waiting: { on: { claimed: 'running' } },
    running: { on: stateAfter },
    done: { type: 'final' },
    failed: { type: 'final' },
    // Until an operator releases it.
    parked: { type: 'final' },
    gone: { type: 'final' },
  },
});
