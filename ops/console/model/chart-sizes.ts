import { eventLabel } from './event-label.js';
import type { Sizes } from './statechart-layout.js';

export const isFailure = (event: string): boolean => /^(failed|rethrown|cancelled)$/.test(event);

/** The chart of the lifecycle, with figures in its states and a count below each label. */
export const lifecycleSizes: Sizes = {
  state: ({ final, key, description = '' }) =>
    final
      ? { width: 98, height: 46 }
      : { width: Math.max(122, 8.6 * key.length + 18, 7.6 * description.length + 14), height: 70 },
  label: ({ event }) => ({ width: 6.4 * event.length + 2, height: 30 }),
  text: ({ event }) => ({ width: 7 * event.length + 4, height: 30 }),
  weight: ({ event }) => (isFailure(event) ? 1 : 4),
};

/** The charts of all machines, with names only. */
export const machineSizes: Sizes = {
  state: ({ key, final }) => ({ width: Math.max(112, 8.4 * key.length + 24), height: final ? 44 : 52 }),
  label: ({ event }) => ({ width: 6.9 * eventLabel(event).length + 6, height: 24 }),
  weight: () => 1,
};

/** The chart of a process, with the number of instances in its states and of steps below each label. */
export const processSizes: Sizes = {
  state: ({ key }) => ({ width: Math.max(120, 8.4 * key.length + 24), height: 54 }),
  label: ({ event }) => ({ width: 6.9 * eventLabel(event).length + 6, height: 30 }),
  weight: ({ event }) => (event.startsWith('xstate.after.') || event.endsWith('.refused') ? 1 : 4),
};
