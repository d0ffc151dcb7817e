import { assign, type EventObject, fromCallback, fromPromise, setup } from 'xstate';
import { plainSqlMessageOf } from '../../runtime/database/sql-error.js';
import { framesOf } from '../../runtime/logging/hidden-error.js';
import { log } from '../../runtime/logging/log.js';
import { retryDelayMs } from '../../runtime/lang/retry-delay.js';

/** `behind`: there is more to do at once. `overtaken`: another host has moved on. `unreachable`: the broker is. */
export type RunEnd = 'caught up' | 'behind' | 'overtaken' | 'unreachable';

/** What a follower does with the log while this host holds its lease. */
export interface FollowerWork {
  /** As users call it: a perspective, a reaction. */
  readonly kind: string;
  readonly name: string;
  /** The name of its lease. */
  readonly lease: string;
  /** Whether it can work on this host; one that cannot leaves the lease to others. */
  probe?(): Promise<void>;
  /** Works until it has caught up, or until the signal ends it. A failure is tried again. */
  run(signal: AbortSignal): Promise<RunEnd>;
  /** The log has grown while it runs. */
  wake?(): void;
  /** Whether there is something to do although the log has not grown. */
  isDue?(): boolean;
  /** Another host may have worked meanwhile: what it knows may be out of date. */
  forget(): void;
  /** Longer than the shortest time between two runs, where nobody waits for them. */
  readonly restMs?: number;
}

export interface FollowerSettings {
  /** The shortest time between two runs: under load many commits share one. */
  readonly restMs: number;
  readonly firstBackoffMs: number;
  readonly maxBackoffMs: number;
}

export const followerDefaults: FollowerSettings = { restMs: 10, firstBackoffMs: 200, maxBackoffMs: 10_000 };

interface FollowerInput {
  readonly work: FollowerWork;
  readonly settings: FollowerSettings;
  /** Runs the work once its last run has ended. */
  readonly run: FollowerWork['run'];
  /** Asks whether the lease is still ours. */
  readonly askForLease: () => void;
  /** Leaves the lease to other hosts until it is asked for again. */
  readonly giveLeaseBack: () => void;
}

interface FollowerContext extends FollowerInput {
  /** The log has grown during a run. */
  readonly woken: boolean;
  /** Runs that failed, and runs that another host has overtaken, in a row. */
  readonly failures: number;
  readonly overtakes: number;
  readonly error: string | undefined;
}

type FollowerEvent =
  /** The log has grown. */
  | { readonly type: 'wake' }
  /** This host holds the lease; sent at every renewal. */
  | { readonly type: 'leased' }
  | { readonly type: 'lost' }
  | { readonly type: 'due' };

/** Sends `due` after the given time. */
const pause = fromCallback<EventObject, { readonly ms: number }>(({ input, sendBack }) => {
  const timer = setTimeout(() => sendBack({ type: 'due' }), input.ms);
  return () => clearTimeout(timer);
});

/** One follower of the log on one host: it works while this host holds its lease. */
export const followerMachine = setup({
  types: { context: {} as FollowerContext, events: {} as FollowerEvent, input: {} as FollowerInput },
  actors: {
    run: fromPromise<RunEnd, FollowerInput>(({ input, signal }) => input.run(signal)),
    probe: fromPromise<void, FollowerWork>(async ({ input }) => input.probe?.()),
    pause,
  },
  actions: {
    forget: ({ context: { work } }) => work.forget(),
    wake: ({ context: { work } }) => work.wake?.(),
    askForLease: ({ context }) => context.askForLease(),
    giveLeaseBack: ({ context }) => context.giveLeaseBack(),
    miss: assign(({ context }) => ({ failures: context.failures + 1, error: undefined })),
    logUnreachable: ({ context: { work, failures } }) => {
      if (failures === 0)
        log.warn(
          `the broker cannot be reached from this host; the ${work.kind} of another host may work meanwhile`,
        );
    },
    succeed: assign({ failures: 0, overtakes: 0, error: undefined }),
    overtake: assign(({ context }) => ({ overtakes: context.overtakes + 1, failures: 0, error: undefined })),
    fail: assign(({ context: { work, failures, error: known } }, params: { readonly error: unknown }) => {
      const error = plainSqlMessageOf(params.error);
      if (known !== error)
        log.error(
          { [work.kind]: work.name, err: { message: error, stack: framesOf(params.error) } },
          `a ${work.kind} has stopped and retries`,
        );
      return { failures: failures + 1, error };
    }),
  },
  guards: {
    isDue: ({ context: { woken, work } }) => woken || work.isDue?.() === true,
    hasProbe: ({ context: { work } }) => work.probe !== undefined,
  },
}).createMachine({
  id: 'follower',
  context: ({ input }) => ({ ...input, woken: false, failures: 0, overtakes: 0, error: undefined }),
  initial: 'starting',
  on: { lost: { target: '.withoutLease', actions: ['forget', assign({ overtakes: 0 })] } },
  states: {
    starting: { always: [{ guard: 'hasProbe', target: 'probing' }, { target: 'withoutLease' }] },
    withoutLease: { on: { leased: 'running', lost: { actions: assign({ overtakes: 0 }) } } },
    running: {
      tags: 'leased',
      entry: assign({ woken: false }),
      on: {
        wake: { actions: [assign({ woken: true }), 'wake'] },
        // It has worked for as long as that.
        leased: { actions: assign({ failures: 0 }) },
      },
      invoke: {
        src: 'run',
        input: ({ context }) => context,
        onDone: [
          {
            guard: ({ event }) => event.output === 'unreachable',
            target: 'outOfReach',
            actions: ['logUnreachable', 'miss', 'giveLeaseBack'],
          },
          { guard: ({ event }) => event.output === 'overtaken', target: 'overtaken', actions: 'overtake' },
          {
            guard: ({ event }) => event.output === 'behind',
            target: 'running',
            reenter: true,
            actions: 'succeed',
          },
          { target: 'resting', actions: 'succeed' },
        ],
        onError: { target: 'failed', actions: { type: 'fail', params: ({ event }) => event } },
      },
    },
    // Two hosts that both take themselves for the holder of the lease give each other time to finish.
    overtaken: {
      invoke: {
        src: 'pause',
        input: ({ context: { overtakes, settings } }) => ({
          ms: retryDelayMs(overtakes, Math.random(), settings.firstBackoffMs, settings.maxBackoffMs),
        }),
        onError: {},
      },
      on: { due: { target: 'withoutLease', actions: ['forget', 'askForLease'] } },
    },
    resting: {
      tags: 'leased',
      on: {
        wake: { actions: assign({ woken: true }) },
        due: [{ guard: 'isDue', target: 'running' }, { target: 'waiting' }],
      },
      invoke: {
        src: 'pause',
        input: ({ context: { work, settings } }) => ({ ms: work.restMs ?? settings.restMs }),
        onError: {},
      },
    },
    waiting: { tags: 'leased', on: { wake: 'running', leased: { guard: 'isDue', target: 'running' } } },
    failed: {
      tags: 'leased',
      on: { due: 'running' },
      invoke: {
        src: 'pause',
        input: ({
          context: {
            failures,
            settings: { firstBackoffMs, maxBackoffMs },
          },
        }) => ({
          ms: firstBackoffMs + retryDelayMs(failures, Math.random(), firstBackoffMs, maxBackoffMs),
        }),
        onError: {},
      },
    },
    // A host that cannot reach the broker must not keep another host from working.
    outOfReach: {
      on: { lost: {}, due: 'probing' },
      invoke: {
        src: 'pause',
        input: ({ context: { failures, settings } }) => ({
          ms: retryDelayMs(failures, Math.random(), settings.firstBackoffMs, settings.maxBackoffMs),
        }),
        onError: {},
      },
    },
    probing: {
      on: { lost: {} },
      invoke: {
        src: 'probe',
        input: ({ context: { work } }) => work,
        onDone: { target: 'withoutLease', actions: 'askForLease' },
        onError: { target: 'outOfReach', actions: 'miss' },
      },
    },
  },
});
