import type { LifecycleAggregate } from '../../../endpoints/lifecycle/lifecycle-counts.js';
import { type Durations, quantileMs } from '../../../endpoints/lifecycle/duration-buckets.js';
import { isOutcome } from '../../../endpoints/lifecycle/lifecycle-machine.js';
import type { LifecycleFigures } from './lifecycle.js';

type Unstarted = Pick<LifecycleFigures, 'crashed' | 'rejected' | 'replayed'>;

export function lifecycleFigures(
  { started, states, edges }: LifecycleAggregate,
  { crashed, rejected, replayed }: Unstarted,
): LifecycleFigures {
  const entered = (name: string): number => states.find(({ state }) => state === name)?.entered ?? 0;
  return {
    requests: started,
    failed: entered('failed'),
    crashed,
    rejected,
    replayed,
    states: states.map(({ state, entered: count, inFlight, durations }) => ({
      state,
      count,
      inFlight,
      ...(isOutcome(state) ? { p50Ms: undefined, p99Ms: undefined } : quantiles(durations)),
    })),
    edges: edges.map(({ from, trigger, to, durations }) => ({
      from,
      event: trigger,
      to,
      count: durations.count,
      ...quantiles(durations),
    })),
  };
}

const quantiles = (durations: Durations) => ({
  p50Ms: quantileMs(durations, 0.5),
  p99Ms: quantileMs(durations, 0.99),
});
