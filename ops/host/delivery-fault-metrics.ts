import type { Clocks } from '../../actors/health/clock-skew-check.js';
import type { Subscriber } from '../../actors/subscriber/start-subscriber.js';
import type { ReceivedGap } from '../../runtime/inbox/received-gaps.js';
import type { MetricFamily, Sample } from '../../runtime/metrics/metrics.js';

export interface ReceivedFigures {
  readonly clocks: () => Clocks;
  readonly gaps: () => readonly ReceivedGap[];
  readonly subscriber: () => Pick<Subscriber, 'isFull' | 'subscriptions'> | undefined;
}

const gauge = (name: string, help: string, read: () => readonly Sample[]): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  aggregator: 'max',
  read,
});

/** Conditions that need an operator: clocks apart, and messages of other stores that did not arrive. */
export const deliveryFaultMetrics = ({
  clocks,
  gaps,
  subscriber,
}: ReceivedFigures): readonly MetricFamily[] => [
  gauge('svc_clock_skew_seconds', 'Difference between clocks, by pair.', () => {
    const { database, furthest } = clocks();
    return [
      { labels: { between: 'host-database' }, value: Math.abs(database.ahead) },
      { labels: { between: 'log-database' }, value: database.logAhead },
      { labels: { between: 'stores' }, value: furthest?.seconds ?? 0 },
    ];
  }),
  gauge(
    'svc_received_missing_records',
    'System records of other stores that were sent and not received.',
    () => [{ value: gaps().reduce((sum, { missing }) => sum + missing, 0) }],
  ),
  gauge(
    'svc_received_differing_chains',
    'Other stores whose chain differs from what was received or signed.',
    () => [{ value: gaps().filter(({ differs, heads }) => differs || heads === 'contradicts').length }],
  ),
  gauge('svc_dead_letters_full', '1 while receiving is paused because of too many dead letters.', () => [
    { value: subscriber()?.isFull === true ? 1 : 0 },
  ]),
  {
    name: 'svc_broker_losses_total',
    help: 'Messages that the broker removed before they were received, and recreated streams.',
    type: 'counter',
    read: () => [{ value: lossesOf(subscriber()) }],
  },
];

const lossesOf = (subscriber: Pick<Subscriber, 'subscriptions'> | undefined): number =>
  (subscriber?.subscriptions ?? []).reduce((sum, { losses }) => sum + (losses?.count ?? 0), 0);
