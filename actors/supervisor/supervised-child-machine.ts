import { assign, fromPromise, setup } from 'xstate';
import { Problem } from '../../contracts/problems.js';
import { afterRunning } from '../../runtime/lang/after-running.js';
import { log } from '../../runtime/logging/log.js';
import type { Child, Running } from './child.js';
import { afterCrash, type CrashHistory, noCrashes, type RestartPolicy } from './restart-policy.js';

export interface ChildSettings {
  readonly policy: RestartPolicy;
  readonly random: () => number;
  readonly now: () => number;
}

export interface ChildInput extends ChildSettings {
  readonly child: Child;
}

export interface ChildContext extends ChildInput {
  readonly running: Running | undefined;
  readonly crashes: CrashHistory;
  readonly restarts: number;
  /** The number of the start: what an earlier start reports does not concern this one. */
  readonly life: number;
  readonly everRan: boolean;
  readonly since: number;
  readonly crash: { readonly error: unknown } | undefined;
  readonly lastError: unknown;
  readonly restartInMs: number | undefined;
  readonly isStopping: boolean;
  readonly hasFailed: boolean;
  readonly stopFailure: unknown;
}

type ChildEvent =
  | { readonly type: 'crashed'; readonly error: unknown; readonly life: number }
  | { readonly type: 'stop' };

/** How it ended. */
export interface ChildEnd {
  readonly name: string;
  /** It has run, and cannot be restarted. */
  readonly hasFailed: boolean;
  readonly error: unknown;
}

export interface Start {
  readonly child: Child;
  readonly crashed: (error: unknown) => void;
}

/** Restarts a child until it is stopped or crashes too often. */
export const supervisedChildMachine = setup({
  types: {
    context: {} as ChildContext,
    events: {} as ChildEvent,
    input: {} as ChildInput,
    output: {} as ChildEnd,
  },
  actors: {
    start: fromPromise<Running, Start>(async ({ input: { child, crashed } }) => child.start(crashed)),
    stop: fromPromise<void, ChildContext>(({ input }) => stopWithin(input)),
  },
  actions: {
    beginLife: assign(({ context: { life, now } }) => ({ life: life + 1, since: now(), crash: undefined })),
    noteStop: assign({ isStopping: true }),
    noteCrash: assign((_, { error }: { readonly error: unknown }) => ({
      crash: { error },
      lastError: error,
    })),
    judge: assign(({ context }) => decideRestart(context)),
    logCrash: ({ context: { child, restartInMs, lastError } }) => {
      if (restartInMs === undefined)
        log.error({ child: child.name, err: lastError }, 'a child failed for good');
      else log.error({ child: child.name, err: lastError, restartInMs }, 'a child crashed and is restarted');
    },
    logStopFailure: ({ context }, { error }: { readonly error: unknown }) => {
      log.warn({ child: context.child.name, err: error }, 'a child could not be stopped cleanly');
    },
    letGo: assign(({ context }) => ({ running: undefined, since: context.now() })),
    noteFailure: assign(({ context }) => ({ hasFailed: context.everRan })),
  },
  guards: {
    isOfThisLife: ({ context, event }) => event.type === 'crashed' && event.life === context.life,
    isStopping: ({ context }) => context.isStopping,
    hasCrashed: ({ context }) => context.crash !== undefined,
    isGivenUp: ({ context }) => context.restartInMs === undefined,
    neverRan: ({ context }) => !context.everRan,
  },
  delays: { backoff: ({ context }) => context.restartInMs ?? 0 },
}).createMachine({
  id: 'supervised-child',
  context: ({ input }) => ({
    ...input,
    running: undefined,
    crashes: noCrashes,
    restarts: 0,
    life: 0,
    everRan: false,
    since: input.now(),
    crash: undefined,
    lastError: undefined,
    restartInMs: undefined,
    isStopping: false,
    hasFailed: false,
    stopFailure: undefined,
  }),
  initial: 'starting',
  on: {
    stop: { actions: 'noteStop' },
    crashed: { guard: 'isOfThisLife', actions: { type: 'noteCrash', params: ({ event }) => event } },
  },
  states: {
    starting: {
      entry: 'beginLife',
      invoke: {
        src: 'start',
        input: ({ context: { child, life }, self }) => ({
          child,
          crashed: (error: unknown) => self.send({ type: 'crashed', error, life }),
        }),
        onDone: {
          target: 'running',
          actions: assign(({ context, event }) => ({
            running: event.output,
            everRan: true,
            since: context.now(),
          })),
        },
        onError: [
          // A child that fails its first start is the caller's problem.
          {
            guard: 'neverRan',
            target: 'failed',
            actions: assign(({ event }) => ({ lastError: event.error })),
          },
          { target: 'clearing', actions: { type: 'noteCrash', params: ({ event }) => event } },
        ],
      },
    },
    running: {
      always: [
        { guard: 'isStopping', target: 'stopping' },
        { guard: 'hasCrashed', target: 'clearing' },
      ],
    },
    clearing: {
      entry: ['judge', 'logCrash'],
      invoke: {
        src: 'stop',
        input: ({ context }) => context,
        onDone: 'crashed',
        onError: {
          target: 'crashed',
          actions: { type: 'logStopFailure', params: ({ event }) => event },
        },
      },
    },
    crashed: {
      entry: 'letGo',
      always: [
        { guard: 'isStopping', target: 'stopped' },
        { guard: 'isGivenUp', target: 'failed' },
      ],
      after: {
        backoff: {
          target: 'starting',
          actions: assign(({ context }) => ({ restarts: context.restarts + 1 })),
        },
      },
    },
    stopping: {
      invoke: {
        src: 'stop',
        input: ({ context }) => context,
        onDone: 'stopped',
        onError: {
          target: 'stopped',
          actions: [
            { type: 'logStopFailure', params: ({ event }) => event },
            assign(({ event }) => ({ stopFailure: event.error })),
          ],
        },
      },
    },
    stopped: { type: 'final', entry: 'letGo' },
    failed: { type: 'final', entry: ['letGo', 'noteFailure'] },
  },
  output: ({ context: { child, hasFailed, lastError } }) => ({
    name: child.name,
    hasFailed,
    error: lastError,
  }),
});

function decideRestart({ child, policy, crashes, since, now, random }: ChildContext) {
  if (child.restartsAtOnce?.() === true) return { crashes, restartInMs: 0 };
  const at = now();
  const verdict = afterCrash(policy, crashes, { at, ranMs: at - since }, random());
  return child.isVital === true ? { ...verdict, restartInMs: undefined } : verdict;
}

const usualStopMs = 10_000;

async function stopWithin({ child, running }: ChildContext): Promise<void> {
  if (running === undefined) return;
  const { name, stopWithinMs = usualStopMs } = child;
  await within(stopWithinMs, name, (async () => running.stop())());
}

/** Limits how long a stop may take. */
async function within(ms: number, name: string, stopping: Promise<unknown>): Promise<void> {
  let cancel = (): void => undefined;
  const tooLong = new Promise<never>((_, reject) => {
    cancel = afterRunning(ms, () => {
      reject(new Problem('deadline-exceeded', { detail: `${name} did not stop within ${ms} ms.` }));
    });
  });
  try {
    await Promise.race([stopping, tooLong]);
  } finally {
    cancel();
  }
}
