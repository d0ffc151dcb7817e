import { assign, type EventObject, fromPromise, setup } from 'xstate';
import { plainSqlMessageOf } from '../../runtime/database/sql-error.js';
import { log } from '../../runtime/log.js';
import { retryDelayMs } from '../../runtime/retry-delay.js';
import { framesOf } from '../../runtime/hidden-error.js';
import type { Page } from '../../runtime/perspectives/log-entry.js';
import { pause } from '../lease/pause.js';
import { ParkedRowsRetry } from './retry-parked-rows.js';
import type { RunnerProgress } from './runner-progress.js';
import { PerspectiveRound, type RoundEnd, type RoundPorts, type RoundSettings } from './perspective-round.js';
import { StreamRewind } from './stream-rewind.js';

export interface RunnerSettings extends RoundSettings {
  /** The shortest time between two rounds: under load many commits share one. */
  readonly restMs: number;
  readonly firstBackoffMs: number;
  readonly maxBackoffMs: number;
}

export const runnerDefaults: RunnerSettings = {
  pageSize: 1_000,
  attempts: 3,
  restMs: 10,
  firstBackoffMs: 200,
  maxBackoffMs: 10_000,
};

interface RunnerInput {
  readonly ports: RoundPorts;
  readonly settings: RunnerSettings;
  readonly progress: RunnerProgress;
  /** Called when another host moved the cursor. */
  readonly askForLease: () => void;
}

interface RunnerContext extends RunnerInput {
  /** A notification arrived during a round. */
  readonly woken: boolean;
  readonly failures: number;
  readonly error: string | undefined;
  readonly latePage: Page | undefined;
}

export type RunnerEvent =
  /** The log has grown. */
  | { readonly type: 'wake' }
  /** This host holds the lease now; `released`: retry parked rows. */
  | { readonly type: 'leased'; readonly released: boolean; readonly hasUnreportedRewinds: boolean }
  | { readonly type: 'lost' }
  | { readonly type: 'due' }
  /** A rebuild is running; nothing is folded until it ends. */
  | { readonly type: 'rebuildStarted' }
  | { readonly type: 'rebuildEnded' };

function noteRound(progress: RunnerProgress, round: Promise<RoundEnd>): Promise<RoundEnd> {
  progress.round = round.catch(() => undefined);
  return round;
}

const next = [
  { guard: 'isOvertaken', target: '#withoutLease', actions: ['succeed', 'askForLease'] },
  { guard: 'isLate', target: '#rewinding', actions: ['succeed', 'keepPage'] },
  { guard: 'isBehind', target: '#catchingUp', reenter: true, actions: 'succeed' },
  { target: '#live', actions: 'succeed' },
] as const;
const failing = {
  target: '#failed',
  actions: { type: 'fail', params: ({ event }: { event: { error: unknown } }) => event },
} as const;

/** One perspective on one host: it folds while it holds the lease, and otherwise waits for it. */
export const perspectiveRunnerMachine = setup({
  types: { context: {} as RunnerContext, events: {} as RunnerEvent, input: {} as RunnerInput },
  actors: {
    fold: fromPromise<RoundEnd, RunnerContext>(({ input: { ports, settings, progress } }) =>
      noteRound(progress, new PerspectiveRound(ports, settings, progress).run()),
    ),
    rewind: fromPromise<RoundEnd, RunnerContext>(({ input: { ports, settings, progress, latePage } }) =>
      noteRound(progress, new StreamRewind(ports, settings, progress).rewind(latePage)),
    ),
    repair: fromPromise<RoundEnd, RunnerContext>(({ input: { ports, settings, progress } }) =>
      noteRound(progress, new ParkedRowsRetry(ports, settings, progress).repair()),
    ),
    pause,
  },
  actions: {
    succeed: assign({ failures: 0, error: undefined }),
    keepPage: assign(({ event }) => ({
      latePage: endOf(event)?.ended === 'late' ? lateOf(event) : undefined,
    })),
    fail: assign(({ context }, params: { readonly error: unknown }) => {
      const error = plainSqlMessageOf(params.error);
      const { name } = context.ports.table;
      if (context.error !== error)
        log.error(
          { perspective: name, err: { message: error, stack: framesOf(params.error) } },
          'a perspective has stopped and retries',
        );
      return { failures: context.failures + 1, error };
    }),
    forget: ({ context: { progress } }) => {
      progress.isLoaded = false;
    },
    askForLease: ({ context }) => context.askForLease(),
  },
  guards: {
    isOvertaken: ({ event }) => endOf(event)?.ended === 'overtaken',
    isLate: ({ event }) => endOf(event)?.ended === 'late',
    isBehind: ({ event }) => {
      const end = endOf(event);
      return end?.ended === 'moved' && end.behind;
    },
    isAsked: ({ event }) => event.type === 'leased' && (event.released || event.hasUnreportedRewinds),
    owesRepair: ({ context: { progress } }) => progress.parkedRetried === 'partly',
    isBehindHead: ({ context: { progress } }) => progress.position < progress.head,
  },
}).createMachine({
  id: 'perspective-runner',
  context: ({ input }) => ({ ...input, woken: false, failures: 0, error: undefined, latePage: undefined }),
  initial: 'withoutLease',
  on: { lost: { target: '.withoutLease', actions: 'forget' }, rebuildStarted: '.rebuilding' },
  states: {
    withoutLease: {
      id: 'withoutLease',
      on: { leased: { target: 'repairing', actions: 'forget' }, lost: {} },
    },
    repairing: {
      id: 'repairing',
      invoke: { src: 'repair', input: ({ context }) => context, onDone: next, onError: failing },
    },
    catchingUp: {
      id: 'catchingUp',
      invoke: { src: 'fold', input: ({ context }) => context, onDone: next, onError: failing },
    },
    live: {
      id: 'live',
      initial: 'resting',
      on: { leased: { guard: 'isAsked', target: 'repairing' } },
      states: {
        resting: {
          entry: assign({ woken: false }),
          on: {
            wake: { actions: assign({ woken: true }) },
            due: [
              { guard: ({ context }) => context.woken, target: 'folding' },
              { guard: 'owesRepair', target: '#repairing' },
              { target: 'waiting' },
            ],
          },
          invoke: { src: 'pause', input: ({ context }) => ({ ms: context.settings.restMs }), onError: {} },
        },
        waiting: { on: { wake: 'folding', leased: { guard: 'isBehindHead', target: 'folding' } } },
        folding: { invoke: { src: 'fold', input: ({ context }) => context, onDone: next, onError: failing } },
      },
    },
    rewinding: {
      id: 'rewinding',
      invoke: { src: 'rewind', input: ({ context }) => context, onDone: next, onError: failing },
    },
    rebuilding: {
      id: 'rebuilding',
      on: { rebuildEnded: { target: 'catchingUp', actions: 'forget' }, rebuildStarted: {} },
    },
    failed: {
      id: 'failed',
      entry: 'forget',
      on: { due: 'catchingUp' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: backoffMs(context) }), onError: {} },
    },
  },
});

/** The result of the invoked round. */
const endOf = (event: EventObject): RoundEnd | undefined => (event as { output?: RoundEnd }).output;

function lateOf(event: EventObject): Page | undefined {
  const end = endOf(event);
  return end?.ended === 'late' ? end.page : undefined;
}

const backoffMs = ({ failures, settings }: RunnerContext): number =>
  settings.firstBackoffMs +
  retryDelayMs(failures, Math.random(), settings.firstBackoffMs, settings.maxBackoffMs);
