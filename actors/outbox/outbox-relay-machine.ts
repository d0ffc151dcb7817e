import { assign, fromPromise, setup } from 'xstate';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { log } from '../../runtime/log.js';
import { retryDelayMs } from '../../runtime/retry-delay.js';
import { acquireRetryDelayMs, Lease } from '../lease/lease.js';
import { pause } from '../lease/pause.js';
import { type WakeUp, wakeUps } from '../lease/wake-ups.js';
import {
  type RelayProgress,
  RelayRound,
  type RoundEnd,
  type RoundSettings,
  noProgress,
} from './relay-round.js';
import type { RetrySettings } from './retry-or-dead-letter.js';
import { type RelayCounts, type RelayPorts, RelayPublisher } from './relay-publisher.js';

export interface RelaySettings extends RoundSettings, RetrySettings {
  readonly leaseMs: number;
  /** The poll interval without notifications; polling also renews the lease. */
  readonly pollMs: number;
  /**
   * The poll interval when another part looks for work too. An idle relay may lose its lease meanwhile, which does no
   * harm: it acquires it again, or another relay holds it.
   */
  readonly idleMs?: number;
  /** The shortest time between two rounds: under load many commits share one. */
  readonly restMs: number;
}

/** Another host takes over within `leaseMs`; every pause is short enough to keep the lease. */
export const relayDefaults: RelaySettings = {
  leaseMs: 4_000,
  pollMs: 2_000,
  restMs: 10,
  pageSize: 500,
  inFlight: 256,
  perStream: 128,
  maxAttempts: 5,
  firstRetryMs: 200,
  maxRetryMs: 10_000,
};

export interface OutboxRelayPorts extends RelayPorts {
  readonly notifications: NotificationSource;
}

interface RelayInput {
  readonly ports: OutboxRelayPorts;
  readonly settings: RelaySettings;
  readonly counts: RelayCounts;
}

interface RelayContext extends RelayInput {
  readonly progress: RelayProgress;
  readonly stopping: AbortController;
  /** Work arrived during a round. */
  readonly woken: boolean;
  /** Failed rounds in a row. */
  readonly failures: number;
  /** Why the last round failed. */
  readonly error: unknown;
  readonly pauseMs: number;
}

type RelayEvent = WakeUp | { readonly type: 'due' } | { readonly type: 'stop' };

const firstBackoffMs = 100;

/** Runs rounds while there is something to publish; in between it waits for a notification or a timer. */
export const outboxRelayMachine = setup({
  types: {
    context: {} as RelayContext,
    events: {} as RelayEvent,
    input: {} as RelayInput,
  },
  actors: {
    wakeUps,
    pause,
    round: fromPromise<RoundEnd, RelayContext>(
      ({ input: { ports, settings, counts, progress, stopping } }) => {
        const lease = new Lease(ports.outbox, settings.leaseMs);
        const sender = new RelayPublisher(ports, settings, counts);
        return new RelayRound(ports.outbox, lease, sender, settings, progress, stopping.signal).run();
      },
    ),
    release: fromPromise<void, RelayContext>(({ input }) => input.ports.outbox.release()),
    probe: fromPromise<void, RelayContext>(({ input }) => input.ports.transport.ping()),
  },
  actions: {
    stopRound: ({ context }) => context.stopping.abort(),
    backOff: assign(({ context: { failures, settings } }) => ({
      failures: failures + 1,
      pauseMs: retryDelayMs(failures + 1, Math.random(), firstBackoffMs, settings.pollMs),
    })),
    logUnreachable: ({ context }) => {
      if (context.failures === 0)
        log.warn(
          'the transport cannot be reached from this host; another host of this store may publish meanwhile',
        );
    },
    // Another relay may have moved the cursor meanwhile: what we know of the log is stale.
    forgetProgress: assign(() => ({ progress: noProgress() })),
    logFailure: (_, params: { readonly error: unknown }) => {
      log.warn({ err: params.error }, 'the outbox relay failed and retries');
    },
  },
  guards: {
    isStopping: ({ context }) => context.stopping.signal.aborted,
  },
}).createMachine({
  id: 'outbox-relay',
  context: ({ input }) => ({
    ...input,
    progress: noProgress(),
    stopping: new AbortController(),
    woken: false,
    failures: 0,
    error: undefined,
    pauseMs: 0,
  }),
  initial: 'relaying',
  invoke: { src: 'wakeUps', input: ({ context }) => context.ports, onError: {} },
  on: { stop: '.releasing' },
  states: {
    relaying: {
      entry: assign({ woken: false }),
      on: { wake: { actions: assign({ woken: true }) }, stop: { actions: 'stopRound' } },
      invoke: {
        src: 'round',
        input: ({ context }) => context,
        onDone: [
          { guard: 'isStopping', target: 'releasing' },
          {
            guard: ({ event }) => event.output.ended === 'unreachable',
            target: 'steppingDown',
            actions: ['logUnreachable', 'backOff', assign({ error: undefined })],
          },
          {
            guard: ({ event }) => event.output.ended === 'without-lease',
            target: 'withoutLease',
            actions: [
              'forgetProgress',
              assign(({ event, context: { settings } }) => ({
                failures: 0,
                error: undefined,
                pauseMs: pauseUntilLeaseIsFree(event.output, settings.leaseMs),
              })),
            ],
          },
          { target: 'resting', actions: assign({ failures: 0, error: undefined }) },
        ],
        onError: [
          { guard: 'isStopping', target: 'releasing' },
          {
            target: 'backingOff',
            actions: [
              'backOff',
              assign({ error: ({ event }) => event.error }),
              { type: 'logFailure', params: ({ event }) => event },
            ],
          },
        ],
      },
    },
    resting: {
      on: {
        wake: { actions: assign({ woken: true }) },
        due: [{ guard: ({ context }) => context.woken, target: 'relaying' }, { target: 'idle' }],
      },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: restMs(context) }), onError: {} },
    },
    idle: {
      on: { wake: 'relaying', due: 'relaying' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: idleMs(context) }), onError: {} },
    },
    backingOff: {
      on: { due: 'relaying' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: context.pauseMs }), onError: {} },
    },
    // A host that cannot reach the broker must not keep another host from publishing.
    steppingDown: {
      invoke: {
        src: 'release',
        input: ({ context }) => context,
        onDone: 'outOfReach',
        onError: 'outOfReach',
      },
    },
    outOfReach: {
      on: { due: 'probing' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: context.pauseMs }), onError: {} },
    },
    probing: {
      invoke: {
        src: 'probe',
        input: ({ context }) => context,
        onDone: 'relaying',
        onError: { target: 'outOfReach', actions: 'backOff' },
      },
    },
    withoutLease: {
      on: { due: 'relaying', freed: 'relaying' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: context.pauseMs }), onError: {} },
    },
    releasing: {
      invoke: { src: 'release', input: ({ context }) => context, onDone: 'stopped', onError: 'stopped' },
    },
    stopped: { type: 'final' },
  },
});

/** Without subscribers there is no reason to hurry. */
const restMs = ({ ports, settings }: RelayContext): number =>
  ports.transport.hasSubscribers === false ? settings.restMs * 10 : settings.restMs;

const idleMs = ({ settings }: RelayContext): number => settings.idleMs ?? settings.pollMs;

const pauseUntilLeaseIsFree = (end: RoundEnd, leaseMs: number): number =>
  end.ended === 'without-lease' ? acquireRetryDelayMs(end.retryInMs, leaseMs) : 0;
