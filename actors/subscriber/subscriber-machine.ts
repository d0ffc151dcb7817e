import { assign, type EventObject, fromCallback, fromPromise, setup } from 'xstate';
import type { Wanted } from '../../runtime/inbox/judge.js';
import { log } from '../../runtime/log.js';
import { retryDelayMs } from '../../runtime/outbox/retry.js';
import {
  type Live,
  Receiving,
  type ReceivingEnd,
  type ReceivingSettings,
  type Subject,
  type SubscriberPorts,
} from './receiving.js';
import type { SubscriberCounts } from './reception.js';

/** A lease is taken over within `leaseMs`. */
export const subscriberDefaults: ReceivingSettings = { leaseMs: 4_000 };

export interface SubscriberInput {
  readonly ports: SubscriberPorts;
  readonly wanted: Wanted;
  readonly subjects: readonly Subject[];
  readonly settings: ReceivingSettings;
  readonly counts: SubscriberCounts;
  readonly live: Live;
}

interface SubscriberContext extends SubscriberInput {
  readonly stopping: AbortController;
  /** Attempts in a row that the store did not answer. */
  readonly failures: number;
  readonly pauseMs: number;
}

type SubscriberEvent = { readonly type: 'due' } | { readonly type: 'stop' };

const firstBackoffMs = 100;
const mostBackoffMs = 2_000;

/** Of all that share a store one is receiving; the others wait until its lease ends. */
export const subscriberMachine = setup({
  types: {
    context: {} as SubscriberContext,
    events: {} as SubscriberEvent,
    input: {} as SubscriberInput,
  },
  actors: {
    receiving: fromPromise<ReceivingEnd, SubscriberContext>(({ input }) => {
      const { ports, wanted, subjects, settings, counts, live, stopping } = input;
      return new Receiving(ports, wanted, subjects, settings, counts, live, stopping.signal).run();
    }),
    pause: fromCallback<EventObject, { readonly ms: number }>(({ input, sendBack }) => {
      const timer = setTimeout(() => sendBack({ type: 'due' }), input.ms);
      return () => clearTimeout(timer);
    }),
    release: fromPromise<void, SubscriberContext>(({ input }) => input.ports.inbox.release()),
  },
  actions: {
    stopReceiving: ({ context }) => context.stopping.abort(),
    backOff: assign(({ context: { failures } }) => ({
      failures: failures + 1,
      pauseMs: retryDelayMs(failures + 1, Math.random(), firstBackoffMs, mostBackoffMs),
    })),
    logFailure: ({ context }, params: { readonly error: unknown }) => {
      if (context.failures === 0)
        log.warn({ err: params.error }, 'the subscriber cannot keep its lease and tries again');
    },
  },
  guards: {
    isStopping: ({ context }) => context.stopping.signal.aborted,
  },
}).createMachine({
  id: 'subscriber',
  context: ({ input }) => ({ ...input, stopping: new AbortController(), failures: 0, pauseMs: 0 }),
  initial: 'receiving',
  on: { stop: '.releasing' },
  states: {
    receiving: {
      on: { stop: { actions: 'stopReceiving' } },
      invoke: {
        src: 'receiving',
        input: ({ context }) => context,
        onDone: [
          { guard: 'isStopping', target: 'releasing' },
          {
            target: 'withoutLease',
            actions: assign(({ event }) => ({ failures: 0, pauseMs: pauseUntilFree(event.output) })),
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
    withoutLease: {
      on: { due: 'receiving' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: context.pauseMs }), onError: {} },
    },
    backingOff: {
      on: { due: 'receiving' },
      invoke: { src: 'pause', input: ({ context }) => ({ ms: context.pauseMs }), onError: {} },
    },
    releasing: {
      invoke: { src: 'release', input: ({ context }) => context, onDone: 'stopped', onError: 'stopped' },
    },
    stopped: { type: 'final' },
  },
});

/** A little later than the lease ends, and not all hosts at once. */
const pauseUntilFree = (end: ReceivingEnd): number =>
  end.ended === 'without-lease' ? end.retryInMs + 10 + Math.random() * 50 : 0;
