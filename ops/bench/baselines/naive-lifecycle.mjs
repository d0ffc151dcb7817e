import { assign, createActor, fromPromise, setup, toPromise } from 'xstate';

/** The lifecycle as the documentation would write it: one machine, every step a promise it invokes. */
const machine = setup({
  actors: {
    before: fromPromise(({ input }) => input.before(input.command)),
    dispatch: fromPromise(({ input }) => input.dispatch(input.command)),
    after: fromPromise(({ input }) => input.after(input.command)),
  },
}).createMachine({
  id: 'request',
  context: ({ input }) => ({ ...input, result: undefined, error: undefined }),
  initial: 'before',
  states: {
    before: {
      invoke: { src: 'before', input: ({ context }) => context, onDone: 'dispatching', onError: 'failed' },
    },
    dispatching: {
      invoke: {
        src: 'dispatch',
        input: ({ context }) => context,
        onDone: { target: 'after', actions: assign({ result: ({ event }) => event.output }) },
        onError: 'failed',
      },
    },
    after: { invoke: { src: 'after', input: ({ context }) => context, onDone: 'done', onError: 'failed' } },
    done: { type: 'final' },
    failed: { type: 'final' },
  },
  output: ({ context }) => context.result,
});

const nothing = async () => undefined;

/** Runs one request through the machine. */
export function runNaively(command, dispatch) {
  const input = { command, before: nothing, dispatch, after: nothing };
  return toPromise(createActor(machine, { input }).start());
}
