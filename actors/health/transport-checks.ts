import type { HealthCheck } from '../../contracts/health.js';
import type { Subscription, Transport } from '../../contracts/transport.js';
import { askAmqpBroker } from '../../runtime/probes/amqp.js';
import { degradedBy, healthy } from './healthy-or-degraded.js';
import { secondsText } from '../../runtime/lang/quantity-text.js';

const busPeriodMs = 1_000;
const busTimeoutMs = 1_500;

const fullText =
  'Nothing more is received: too many dead letters wait for a decision. List them with svc dead-letters list; replay or discard some.';

/** All down is Unhealthy, some down is Degraded; the detail names those that are down. */
export const subscriptionsCheck = (
  list: () => readonly Pick<Subscription, 'name' | 'isUp'>[],
  isFull: () => boolean = () => false,
): HealthCheck => ({
  name: 'subscriptions',
  tags: ['transport', 'subscriptions'],
  periodMs: busPeriodMs,
  check: () => {
    const all = list();
    const down = all.filter(({ isUp }) => !isUp).map(({ name }) => name);
    if (down.length === 0) return degradedBy(isFull() ? [fullText] : []);
    return {
      status: down.length === all.length ? 'Unhealthy' : 'Degraded',
      detail: `${down.length} of ${all.length} subscriptions are down: ${down.join(', ')}.`,
    };
  },
});

export const serviceBusCheck = (
  transport: Pick<Transport, 'ping' | 'faults'>,
  { isInProcess = false } = {},
): HealthCheck => ({
  name: 'cloud_servicebus',
  tags: [],
  periodMs: busPeriodMs,
  timeoutMs: busTimeoutMs,
  check: async () => {
    await transport.ping();
    const found = degradedBy(transport.faults ?? []);
    return isInProcess && found.status === 'Healthy' ? { ...found, detail: 'in process, no broker' } : found;
  },
});

export const amqpBrokerCheck = (url: string): HealthCheck => ({
  name: 'amqp_broker',
  tags: [],
  periodMs: 2_000,
  timeoutMs: 3_000,
  check: async (signal) => {
    await askAmqpBroker(url, signal);
    return healthy;
  },
});

const readAgeEveryMs = 9_000;

/** Waiting messages are safe, but an operator should know. */
export function outboxAgeCheck(
  oldestSeconds: () => Promise<number>,
  relayFailure: () => string | undefined = () => undefined,
  degradedAboveSeconds = 30,
): HealthCheck {
  let age = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'outbox_age',
    tags: ['transport', 'outbox'],
    periodMs: 2_500,
    check: async () => {
      const reason = relayFailure();
      const failed = reason === undefined ? [] : [`The outbox relay fails and tries again: ${reason}`];
      if (performance.now() - readAt > readAgeEveryMs) {
        readAt = performance.now();
        // That the database does not answer is for its own check to report.
        age = await oldestSeconds().catch(() => Number.NaN);
      }
      if (Number.isNaN(age))
        return degradedBy([...failed, 'The age of the oldest unsent message is unknown.']);
      const late =
        age > degradedAboveSeconds ? [`The oldest unsent message has waited ${secondsText(age)}.`] : [];
      return degradedBy([...failed, ...late]);
    },
  };
}
