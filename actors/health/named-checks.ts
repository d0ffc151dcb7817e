import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { HealthCheck, HealthReport } from '../../contracts/health.js';
import type { Subscription, Transport } from '../../contracts/transport.js';
import type { DatabaseLiveness } from '../../runtime/database/liveness.js';
import type { QuarantinedCommand } from '../commands/quarantined-commands.js';
import type { Loss } from '../../runtime/store/loss-detector.js';
import { askAmqpBroker } from '../../runtime/probes/amqp.js';

/** A lost database is noticed within 3 s: the age, the period and one attempt that fails at once. */
const databasePeriodMs = 700;
const pulseMs = 2_200;
const busPeriodMs = 1_000;
const busTimeoutMs = 1_500;

const healthy: HealthReport = { status: 'Healthy' };

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
    if (down.length === 0) return isFull() ? { status: 'Degraded', detail: fullText } : healthy;
    return {
      status: down.length === all.length ? 'Unhealthy' : 'Degraded',
      detail: `${down.length} of ${all.length} subscriptions are down: ${down.join(', ')}.`,
    };
  },
});

/** A command that blocked the event loop repeatedly is refused; the others are served. */
export const quarantineCheck = (
  list: () => readonly Pick<QuarantinedCommand, 'command' | 'key'>[],
): HealthCheck => ({
  name: 'commands',
  tags: ['commands'],
  periodMs: busPeriodMs,
  check: () => {
    const names = list().map(({ command, key }) => (key === undefined ? command : `${command} (key ${key})`));
    if (names.length === 0) return healthy;
    return { status: 'Degraded', detail: `In quarantine: ${names.join(', ')}.` };
  },
});

/** Queries the database only when no other code has had an answer lately, or when a write failed. */
export const relationalDbCheck = (
  liveness: Pick<DatabaseLiveness, 'ageMs' | 'latencyMs' | 'writeRefused' | 'writesWork'>,
  mustTakeWrites: () => Promise<unknown>,
): HealthCheck => ({
  name: 'svc_relational_db',
  tags: [],
  periodMs: databasePeriodMs,
  check: async () => {
    if (liveness.ageMs > pulseMs || liveness.writeRefused) {
      await mustTakeWrites();
      liveness.writesWork();
    }
    return { status: 'Healthy', latencyMs: liveness.latencyMs };
  },
});

/** Lost acknowledged events need a decision by people: the check stays Degraded until the host restarts. */
export function storeHistoryCheck(
  loss: () => Promise<Loss | undefined>,
  report: (loss: Loss) => void,
): HealthCheck {
  let known: Loss | undefined;
  return {
    name: 'store_history',
    tags: [],
    periodMs: 2_500,
    check: async () => {
      // That the database does not answer is for its own check to report.
      const found = await loss().catch(() => undefined);
      if (found !== undefined) report((known = found));
      if (known === undefined) return healthy;
      const detail = `The database went back: events up to position ${known.lostTo} that this host saw are lost, it ended at ${known.head}. Compare with the lost server or a backup, then restart the host.`;
      return { status: 'Degraded', detail };
    },
  };
}

export const serviceBusCheck = (transport: Pick<Transport, 'ping'>): HealthCheck => ({
  name: 'cloud_servicebus',
  tags: [],
  periodMs: busPeriodMs,
  timeoutMs: busTimeoutMs,
  check: async () => {
    await transport.ping();
    return healthy;
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

/** Waiting messages are safe, but an operator should know. */
export const outboxAgeCheck = (
  oldestSeconds: () => Promise<number>,
  degradedAboveSeconds = 30,
): HealthCheck => ({
  name: 'outbox_age',
  tags: ['transport', 'outbox'],
  periodMs: 10_000,
  check: async () => {
    // That the database does not answer is for its own check to report.
    const age = await oldestSeconds().catch(() => Number.NaN);
    if (age <= degradedAboveSeconds) return healthy;
    const detail = Number.isNaN(age)
      ? 'The age of the oldest unsent message is unknown.'
      : `The oldest unsent message has waited ${Math.round(age)} s.`;
    return { status: 'Degraded', detail };
  },
});

/** How late the event loop runs due work, measured between two checks. */
export function eventLoopCheck(degradedAboveMs = 250): HealthCheck & { stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return {
    name: 'event_loop',
    tags: ['process'],
    periodMs: 2_000,
    check: () => {
      const lateMs = delay.percentile(99) / 1e6;
      delay.reset();
      if (!(lateMs > degradedAboveMs)) return healthy;
      return { status: 'Degraded', detail: `The event loop is ${Math.round(lateMs)} ms late (p99).` };
    },
    stop: () => void delay.disable(),
  };
}

/** How far one perspective is behind the log. */
export interface PerspectiveLag {
  readonly name: string;
  readonly events: number;
  readonly seconds: number;
  /** Parked keys. */
  readonly parked?: number;
  /** Why it has stopped. */
  readonly error?: string;
  /** Why readers still see the previous version. */
  readonly notServed?: string;
}

export const perspectiveLagCheck = (
  lags: () => readonly PerspectiveLag[],
  degradedAboveSeconds = 30,
): HealthCheck => ({
  name: 'perspective_lag',
  tags: ['perspectives'],
  periodMs: 2_500,
  check: () => {
    const all = lags();
    const late = all.filter(({ seconds }) => seconds > degradedAboveSeconds);
    const named = late.map(
      ({ name, events, seconds }) => `${name} ${events} events, ${Math.round(seconds)} s`,
    );
    const details = [
      ...(named.length === 0 ? [] : [`Behind the log: ${named.join('; ')}.`]),
      ...all.flatMap(({ name, parked = 0 }) => (parked > 0 ? [`${name} has parked ${parked} keys.`] : [])),
      ...all.flatMap(({ name, error }) => (error === undefined ? [] : [`${name} has stopped: ${error}.`])),
      ...all.flatMap(({ name, notServed }) =>
        notServed === undefined
          ? []
          : [`The replay of ${name} failed, and readers see the previous version: ${notServed}`],
      ),
    ];
    return details.length === 0 ? healthy : { status: 'Degraded', detail: details.join(' ') };
  },
});
