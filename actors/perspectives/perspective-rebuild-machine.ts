import { assign, type EventObject, fromCallback, fromPromise, setup } from 'xstate';
import { Problem } from '../../contracts/problems.js';
import { log } from '../../runtime/logging/log.js';

/** What the statechart drives. */
export interface RebuildWork {
  readonly name: string;
  prepare(): Promise<void>;
  replay(): Promise<void>;
  verify(): Promise<void>;
  swap(): Promise<void>;
  /** Reports the end and closes the record. */
  complete(): Promise<void>;
  /** Removes what readers do not see, reports why, and closes the record. */
  giveUp(up: { readonly state: 'failed' | 'cancelled'; readonly error: unknown }): Promise<void>;
  /**
   * Renews the lease and reports progress; false when the rebuild was cancelled, undefined when another host holds
   * the lease.
   */
  heartbeat(): Promise<boolean | undefined>;
  /** Stops what is in flight. */
  abort(): void;
}

type RebuildEvent =
  | { readonly type: 'cancel' }
  /** It is no longer ours, or this host stops: another host continues it. */
  | { readonly type: 'lost' };

interface RebuildContext {
  readonly work: RebuildWork;
  readonly isCancelled: boolean;
  readonly isLost: boolean;
  readonly error: unknown;
}

const heartbeatMs = 1_000;

const failing = [
  { guard: 'isLost', target: 'lost', actions: 'keepError' },
  { guard: 'isCancelled', target: 'cancelling', actions: 'keepError' },
  { target: 'failing', actions: 'keepError' },
] as const;
const input = ({ context }: { context: RebuildContext }): RebuildContext => context;

/** One rebuild of one perspective. */
export const perspectiveRebuildMachine = setup({
  types: { context: {} as RebuildContext, events: {} as RebuildEvent, input: {} as { work: RebuildWork } },
  actors: {
    prepare: fromPromise<void, RebuildContext>(({ input: { work } }) => work.prepare()),
    replay: fromPromise<void, RebuildContext>(({ input: { work } }) => work.replay()),
    verify: fromPromise<void, RebuildContext>(({ input: { work } }) => work.verify()),
    swap: fromPromise<void, RebuildContext>(({ input: { work } }) => work.swap()),
    complete: fromPromise<void, RebuildContext>(({ input: { work } }) => work.complete()),
    cancel: fromPromise<void, RebuildContext>(({ input: { work, error } }) =>
      work.giveUp({ state: 'cancelled', error }),
    ),
    fail: fromPromise<void, RebuildContext>(({ input: { work, error } }) =>
      work.giveUp({ state: 'failed', error }),
    ),
    heartbeats: fromCallback<EventObject, RebuildContext>(({ input: { work }, sendBack }) => {
      let isBusy = false;
      const timer = setInterval(() => {
        if (isBusy) return;
        isBusy = true;
        work
          .heartbeat()
          .then((mayContinue) => {
            if (mayContinue !== true) sendBack({ type: mayContinue === undefined ? 'lost' : 'cancel' });
          })
          .catch((err: unknown) => log.warn({ err }, 'the lease of a rebuild could not be renewed'))
          .finally(() => {
            isBusy = false;
          });
      }, heartbeatMs);
      return () => clearInterval(timer);
    }),
  },
  actions: {
    abort: ({ context }) => context.work.abort(),
    markLost: assign({ isLost: true }),
    markCancelled: assign({ isCancelled: true }),
    keepError: assign(({ event }) => ({ error: (event as { error?: unknown }).error })),
    warn: ({ context: { work }, event }) =>
      log.warn(
        { perspective: work.name, err: (event as { error?: unknown }).error },
        'the end of a rebuild could not be recorded',
      ),
  },
  guards: {
    isLost: ({ context, event }) => {
      const { error } = event as { error?: unknown };
      return context.isLost || (error instanceof Problem && error.code === 'rebuild-under-way');
    },
    isCancelled: ({ context }) => context.isCancelled,
  },
}).createMachine({
  id: 'perspective-rebuild',
  context: ({ input: { work } }) => ({ work, isCancelled: false, isLost: false, error: undefined }),
  initial: 'preparing',
  invoke: { src: 'heartbeats', input, onError: {} },
  on: { cancel: { actions: ['markCancelled', 'abort'] }, lost: { actions: ['markLost', 'abort'] } },
  states: {
    preparing: { invoke: { src: 'prepare', input, onDone: 'replaying', onError: failing } },
    replaying: { invoke: { src: 'replay', input, onDone: 'verifying', onError: failing } },
    verifying: { invoke: { src: 'verify', input, onDone: 'swapping', onError: failing } },
    swapping: { invoke: { src: 'swap', input, onDone: 'completing', onError: failing } },
    completing: { invoke: { src: 'complete', input, onDone: 'done', onError: failing } },
    cancelling: {
      invoke: {
        src: 'cancel',
        input,
        onDone: 'cancelled',
        onError: { target: 'cancelled', actions: 'warn' },
      },
    },
    failing: {
      invoke: { src: 'fail', input, onDone: 'failed', onError: { target: 'failed', actions: 'warn' } },
    },
    done: { type: 'final' },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
    /** Another host continues the rebuild. */
    lost: { type: 'final' },
  },
});
