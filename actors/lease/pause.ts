import { type EventObject, fromCallback } from 'xstate';

/** Sends `due` after the given time. */
export const pause = fromCallback<EventObject, { readonly ms: number }>(({ input, sendBack }) => {
  const timer = setTimeout(() => sendBack({ type: 'due' }), input.ms);
  return () => clearTimeout(timer);
});

/**
 * A little after the other host's lease ends, with jitter; never longer than one lease, because the database's clock
 * may be set meanwhile.
 */
export const acquireInMs = (remainingMs: number, leaseMs: number): number =>
  Math.min(remainingMs, leaseMs) + 10 + Math.random() * 50;
