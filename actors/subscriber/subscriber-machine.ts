import { assign, fromPromise, setup } from 'xstate';
import type { InboundFilter } from '../../runtime/inbox/classify-message.js';
import { log } from '../../runtime/log.js';
import { retryDelayMs } from '../../runtime/retry-delay.js';
import { acquireRetryDelayMs } from '../lease/lease.js';
import { pause } from '../lease/pause.js';
import { type WakeUp, wakeUps } from '../lease/wake-ups.js';
import {
  type SubscriberStatus,
  SubscriberSession,
  type SessionEnd,
  type SessionSettings,
  type SubscribedSubjects,
  type SubscriberPorts,
} from './subscriber-session.js';

/** Another host takes over within `leaseMs`; a link that is silent for 2 to 3 s counts as down. */
export const subscriberDefaults: SessionSettings = { leaseMs: 4_000, unreachableMs: 800 };

interface SubscriberInput {
  readonly ports: SubscriberPorts;
  readonly filter: InboundFilter;
  readonly subjects: readonly SubscribedSubjects[];
  readonly settings: SessionSettings;
  readonly status: SubscriberStatus;
}

interface SubscriberContext extends SubscriberInput {
  readonly stopping: AbortController;
  /** Attempts in a row that the broker or the store did not answer. */
  readonly failures: number;
  readonly pauseMs: number;
}

type SubscriberEvent = WakeUp | { readonly type: 'due' } | { readonly type: 'stop' };

const firstBackoffMs = 100;
const maxBackoffMs = 2_000;

/** Of all subscribers that share a store one receives; the others wait until its lease ends. */
export const subscriberMachine = setup({
  types: {
    context: {} as SubscriberContext,
    events: {} as SubscriberEvent,
    input: {} as SubscriberInput,
  },
  actors: {
    wakeUps,
    pause,
    probe: fromPromise<void, SubscriberContext>(({ input }) => input.ports.transport.ping()),
    receiving: fromPromise<SessionEnd, SubscriberContext>(({ input }) => {
      const { ports, filter, subjects, settings, status, stopping } = input;
      return new SubscriberSession(ports, filter, subjects, settings, status, stopping.signal).run();
    }),
    release: fromPromise<void, SubscriberContext>(({ input }) => input.ports.inbox.release()),
  },
  actions: {
    stopReceiving: ({ context }) => context.stopping.abort(),
    backOff: assign(({ context: { failures } }) => ({
      failures: failures + 1,
      pauseMs: retryDelayMs(failures + 1, Math.random(), firstBackoffMs, maxBackoffMs),
    })),
    /** Shows the health check the subscriptions that are down. */
    showDown: ({ context: { status, subjects } }) => {
      status.subscriptions = subjects.map(({ name }) => ({ name, isUp: false }));
    },
    showNone: ({ context: { status } }) => {
      status.subscriptions = [];
    },
    logUnreachable: () =>
      log.warn(
        'the transport cannot be reached from this host; another host of this store may receive meanwhile',
      ),
    logFailure: ({ context }, params: { readonly error: unknown }) => {
      if (context.failures === 0)
        log.warn({ err: params.error }, 'the subscriber cannot renew its lease and retries');
    },
  },
  guards: {
    isStopping: ({ context }) => context.stopping.signal.aborted,
  },
}).createMachine({
  id: 'subscriber',
  context: ({ input }) => ({ ...input, stopping: new AbortController(), failures: 0, pauseMs: 0 }),
  initial: 'probing',
  invoke: { src: 'wakeUps', input: ({ context }) => ({ ...context.ports, only: 'freed' }), onError: {} },
  on: { stop: '.releasing' },
  states: {
    // A host that cannot reach the broker must not keep another host from receiving.
    probing: {
      invoke: {
        src: 'probe',
        input: ({ context }) => context,
        onDone: 'receiving',
        onError: { target: 'outOfReach', actions: 'backOff' },
      },
    },
    outOfReach: {
      entry: 'showDown',
      on: { due: 'probing' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: context.pauseMs }), onError: {} },
    },
    receiving: {
      entry: 'showNone',
      on: { stop: { actions: 'stopReceiving' } },
      invoke: {
        src: 'receiving',
        input: ({ context }) => context,
        onDone: [
          { guard: 'isStopping', target: 'releasing' },
          {
            guard: ({ event }) => event.output.ended === 'unreachable',
            target: 'steppingDown',
            actions: ['logUnreachable', 'backOff'],
          },
          {
            target: 'withoutLease',
            actions: assign(({ event, context: { settings } }) => ({
              failures: 0,
              pauseMs: pauseUntilLeaseIsFree(event.output, settings.leaseMs),
            })),
          },
        ],
        onError: [
          { guard: 'isStopping', target: 'releasing' },
          {
            target: 'backingOff',
            actions: [{ type: 'logFailure', params: ({ event }) => event }, 'backOff'],
          },
        ],
      },
    },
    steppingDown: {
      entry: 'showDown',
      invoke: {
        src: 'release',
        input: ({ context }) => context,
        onDone: 'outOfReach',
        onError: 'outOfReach',
      },
    },
    withoutLease: {
      on: { due: 'probing', freed: 'probing' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: context.pauseMs }), onError: {} },
    },
    backingOff: {
      on: { due: 'probing' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: context.pauseMs }), onError: {} },
    },
    releasing: {
      invoke: { src: 'release', input: ({ context }) => context, onDone: 'stopped', onError: 'stopped' },
    },
    stopped: { type: 'final' },
  },
});

const pauseUntilLeaseIsFree = (end: SessionEnd, leaseMs: number): number =>
  end.ended === 'without-lease' ? acquireRetryDelayMs(end.retryInMs, leaseMs) : 0;
