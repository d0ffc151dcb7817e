import { type EventObject, fromCallback } from 'xstate';

/** Sends `due` when the time is over. */
export const pause = fromCallback<EventObject, { readonly ms: number }>(({ input, sendBack }) => {
  const timer = setTimeout(() => sendBack({ type: 'due' }), input.ms);
  return () => clearTimeout(timer);
});

/**
 * A little later than another one's lease ends, and not all hosts at once; never longer than a lease lasts, as the
 * database's clock may have been set meanwhile.
 */
export const acquireInMs = (remainingMs: number, leaseMs: number): number =>
  Math.min(remainingMs, leaseMs) + 10 + Math.random() * 50;
