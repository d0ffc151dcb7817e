import { fromPromise, setup } from 'xstate';

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

interface Attempt {
  run(): Promise<AttemptEnd>;
}

/** One request of an effect, from its claim by a host to the end of the attempt. */
export const effectMachine = setup({
  types: {
    context: {} as { readonly attempt: Attempt },
    events: {} as { readonly type: 'claimed' },
    input: {} as Attempt,
  },
  actors: { attempt: fromPromise<AttemptEnd, Attempt>(({ input }) => input.run()) },
  guards: {
    is: ({ event }, end: AttemptEnd) => (event as { readonly output?: AttemptEnd }).output === end,
  },
}).createMachine({
  id: 'effect',
  context: ({ input }) => ({ attempt: input }),
  initial: 'waiting',
  states: {
    // Until its time has come; while it is paused, nobody claims it.
    waiting: { on: { claimed: 'running' } },
    running: {
      invoke: {
        src: 'attempt',
        input: ({ context }) => context.attempt,
        onDone: [
          { guard: { type: 'is', params: 'done' }, target: 'done' },
          { guard: { type: 'is', params: 'failed' }, target: 'failed' },
          { guard: { type: 'is', params: 'parked' }, target: 'parked' },
          { guard: { type: 'is', params: 'gone' }, target: 'gone' },
          { target: 'waiting' },
        ],
        // Its claim ends by itself.
        onError: 'waiting',
      },
    },
    done: { type: 'final' },
    failed: { type: 'final' },
    // Until an operator releases it.
    parked: { type: 'final' },
    gone: { type: 'final' },
  },
});
