import type { Distribution } from '../../runtime/metrics/histogram.js';
import type { MetricFamily, Sample } from '../../runtime/metrics/metrics.js';
import type { LifecycleAggregate } from './lifecycle-counts.js';
import { countBelow, type Durations } from './duration-buckets.js';
import { isOutcome } from './lifecycle-machine.js';

/** From 128 µs to 33 s, at powers of two in microseconds, where the counts are exact. */
const boundsUs = [7, 9, 11, 13, 15, 17, 19, 21, 23, 25].map((power) => 2 ** power);

export function lifecycleMetrics(aggregates: () => readonly LifecycleAggregate[]): readonly MetricFamily[] {
  const family = (
    name: string,
    type: MetricFamily['type'],
    help: string,
    samplesOf: (one: LifecycleAggregate) => Iterable<Sample>,
  ): MetricFamily => ({ name, help, type, read: () => aggregates().flatMap((one) => [...samplesOf(one)]) });
  return [
    family('svc_commands_total', 'counter', 'Commands by how their lifecycle ended.', outcomes),
    family(
      'svc_lifecycle_state_duration_seconds',
      'histogram',
      'Time that requests spent in each state of the lifecycle.',
      durations,
    ),
    family(
      'svc_lifecycle_transitions_total',
      'counter',
      'Transitions between the states of the lifecycle.',
      transitions,
    ),
    family('svc_lifecycle_inflight', 'gauge', 'Requests in this state of the lifecycle now.', inFlight),
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
