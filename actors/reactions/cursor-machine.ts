import { assign, fromPromise, setup } from 'xstate';
import { plainSqlMessageOf } from '../../runtime/database/sql-error.js';
import { framesOf } from '../../runtime/hidden-error.js';
import { log } from '../../runtime/log.js';
import { retryDelayMs } from '../../runtime/retry-delay.js';
import { pause } from '../lease/pause.js';
import type { Cursor } from './cursor-reader.js';
import type { CursorPorts } from './cursor-ports.js';
import { CursorRun } from './cursor-run.js';

/** The run of a cursor while this host holds it. */
export interface CurrentRun {
  run: CursorRun | undefined;
  /** Settles with the current run. */
  ended: Promise<unknown>;
}

interface CursorInput {
  readonly ports: CursorPorts;
  readonly cursor: Cursor;
  readonly current: CurrentRun;
}

interface CursorContext extends CursorInput {
  readonly failures: number;
  readonly error: string | undefined;
}

type CursorMessage =
  /** The log has grown. */
  | { readonly type: 'wake' }
  /** This host holds the lease; sent at every renewal. */
  | { readonly type: 'leased' }
  /** Parked keys may have been released, or a notification was lost. */
  | { readonly type: 'look' }
  | { readonly type: 'lost' }
  | { readonly type: 'due' };

const firstBackoffMs = 200;
const maxBackoffMs = 10_000;

/** One partition of a reaction or process on one host: it runs while this host holds the lease. */
export const cursorMachine = setup({
  types: { context: {} as CursorContext, events: {} as CursorMessage, input: {} as CursorInput },
  actors: {
    run: fromPromise<void, CursorContext>(({ input: { ports, cursor, current }, signal }) => {
      const run = (current.run = new CursorRun(ports, cursor));
      signal.addEventListener('abort', () => run.stop());
      // The last run ends first: its commits would be refused by the epoch of this one.
      const ended = current.ended.then(() => run.run());
      current.ended = ended.catch(() => undefined);
      return ended;
    }),
    pause,
  },
  actions: {
    wake: ({ context: { current } }) => current.run?.wake(),
    look: ({ context: { current, cursor } }) => {
      current.run
        ?.look()
        .catch((err: unknown) =>
          log.warn({ err, cursor: cursor.name }, 'parked keys could not be looked up'),
        );
    },
    forget: ({ context: { current } }) => {
      current.run = undefined;
    },
    succeed: assign({ failures: 0, error: undefined }),
    fail: assign(({ context }, params: { readonly error: unknown }) => {
      const error = plainSqlMessageOf(params.error);
      if (context.error !== error)
        log.error(
          { cursor: context.cursor.name, err: { message: error, stack: framesOf(params.error) } },
          'a reaction has stopped and retries',
        );
      return { failures: context.failures + 1, error };
    }),
  },
}).createMachine({
  id: 'cursor',
  context: ({ input }) => ({ ...input, failures: 0, error: undefined }),
  initial: 'withoutLease',
  on: { lost: { target: '.withoutLease' } },
  states: {
    withoutLease: { entry: 'forget', on: { leased: 'running', lost: {} } },
    running: {
      invoke: {
        src: 'run',
        input: ({ context }) => context,
        // Another host has taken the cursor: the next renewal says whether the lease is still ours.
        onDone: { target: 'withoutLease', actions: 'succeed' },
        onError: { target: 'failed', actions: { type: 'fail', params: ({ event }) => event } },
      },
      on: { wake: { actions: 'wake' }, look: { actions: 'look' } },
    },
    failed: {
      entry: 'forget',
      invoke: {
        src: 'pause',
        input: ({ context: { failures } }) => ({
          ms: firstBackoffMs + retryDelayMs(failures, Math.random(), firstBackoffMs, maxBackoffMs),
        }),
        onError: {},
      },
      on: { due: 'running' },
    },
  },
});
