import type { Distribution } from '../../runtime/metrics/histogram.js';
import type { MetricFamily, Sample } from '../../runtime/metrics/metrics.js';
import type { LifecycleAggregate } from './lifecycle-counts.js';
import { countBelow, type Durations } from './duration-buckets.js';
import { isOutcome } from './lifecycle-machine.js';

/** From 128 µs to 33 s, at powers of two in microseconds, where the counts are exact. */
const boundsUs = [7, 9, 11, 13, 15, 17, 19, 21, 23, 25].map((power) => 2 ** power);

/** The counts and times of the lifecycle states, as metrics. */
export function lifecycleMetrics(aggregates: () => readonly LifecycleAggregate[]): readonly MetricFamily[] {
  const each = function* (samples: (one: LifecycleAggregate) => Iterable<Sample>): Iterable<Sample> {
    for (const one of aggregates()) yield* samples(one);
  };
  return [
    {
      name: 'svc_commands_total',
      help: 'Commands by how their lifecycle ended.',
      type: 'counter',
      read: () => each(outcomes),
    },
    {
      name: 'svc_lifecycle_state_duration_seconds',
      help: 'Time that requests spent in each state of the lifecycle.',
      type: 'histogram',
      read: () => each(durations),
    },
    {
      name: 'svc_lifecycle_transitions_total',
      help: 'Transitions between the states of the lifecycle.',
      type: 'counter',
      read: () => each(transitions),
    },
    {
      name: 'svc_lifecycle_inflight',
      help: 'Requests in this state of the lifecycle now.',
      type: 'gauge',
      read: () => each(inFlight),
    },
  ];
}

function* outcomes({ command, states }: LifecycleAggregate): Iterable<Sample> {
  for (const { state, entered } of states)
    if (isOutcome(state)) yield { labels: { command, outcome: state }, value: entered };
}

function* durations({ command, states }: LifecycleAggregate): Iterable<Sample> {
  for (const { state, durations: spent } of states)
    if (spent.count > 0) yield { labels: { command, state }, value: distributionOf(spent) };
}

function* transitions({ command, edges }: LifecycleAggregate): Iterable<Sample> {
  for (const {
    from,
    to,
    trigger,
    durations: { count },
  } of edges)
    if (count > 0) yield { labels: { command, from, to, trigger }, value: count };
}

function* inFlight({ command, states }: LifecycleAggregate): Iterable<Sample> {
  for (const { state, inFlight: now } of states)
    if (!isOutcome(state)) yield { labels: { command, state }, value: now };
}

const distributionOf = (spent: Durations): Distribution => ({
  below: boundsUs.map((us) => [us / 1e6, countBelow(spent, us)] as const),
  count: spent.count,
  sum: spent.sumMs / 1000,
});
