import { type EventObject, fromCallback } from 'xstate';

/** Sends `due` after the given time. */
export const pause = fromCallback<EventObject, { readonly ms: number }>(({ input, sendBack }) => {
  const timer = setTimeout(() => sendBack({ type: 'due' }), input.ms);
  return () => clearTimeout(timer);
});
