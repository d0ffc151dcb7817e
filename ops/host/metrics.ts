import type { PerspectiveLag } from '../../actors/health/perspectives-check.js';
import type { CommandLoad, LocalDispatcher } from '../../actors/commands/dispatcher.js';
import type { SubscriberCounts } from '../../actors/subscriber/subscriber-counts.js';
import type { RelayCounts } from '../../actors/outbox/relay-publisher.js';
import type { ChildStatus } from '../../actors/supervisor/child.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { CheckResult, HealthStatus } from '../../contracts/health.js';
import { RequestDurations } from '../../endpoints/http/request-durations.js';
import type { RouteAddition } from '../../endpoints/routes/http-server.js';
import type { Inspection } from '../../endpoints/inspection/inspection.js';
import { lifecycleMetrics } from '../../endpoints/lifecycle/lifecycle-metrics.js';
import type { Access } from '../../endpoints/access/access.js';
import { metricsRoute } from '../../endpoints/routes/metrics.js';
import type { Distribution } from '../../runtime/metrics/histogram.js';
import {
  createMetrics,
  type MetricFamily,
  type Metrics,
  type Sample,
} from '../../runtime/metrics/metrics.js';
import type { OutboxBacklog } from '../../runtime/outbox/backlog.js';
import type { Service } from '../../runtime/service/service.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { version } from '../../runtime/lang/version.js';
import type { HostHealth } from './health.js';
import { type ReactionFigures, reactionMetrics } from './reaction-metrics.js';
import { type ReceivedFigures, deliveryFaultMetrics } from './delivery-fault-metrics.js';

type Counts = Readonly<Record<string, number>>;

/** Counters and timers of the parts of a host. */
export interface HostFigures {
  readonly flushes: () => { readonly units: Distribution; readonly seconds: Distribution };
  readonly commitQueue: () => number;
  readonly witness: () => { readonly epoch: number; readonly losses: number; readonly isRefused: boolean };
  readonly backlog: () => OutboxBacklog;
  /** Outcomes of messages, by direction. */
  readonly transport: () => { readonly out: Counts; readonly in: Counts };
  /** The leases that this host holds, by name. */
  readonly leases: () => Readonly<Record<string, boolean>>;
  readonly commands: () => readonly CommandLoad[];
  readonly states: () => Counts;
  readonly lags: () => readonly PerspectiveLag[];
  readonly checks: () => readonly CheckResult[];
  readonly systemEvents: () => ReadonlyMap<string, number>;
  readonly children: () => readonly ChildStatus[];
  readonly droppedFrames: () => number;
}

interface Leased {
  readonly holdsLease: boolean;
}

interface CountingSubscriber extends Leased {
  readonly counts: Readonly<SubscriberCounts>;
}

/** The parts of a host that measure something. */
interface MeasuredParts {
  readonly store: Pick<PostgresStore, 'flushes' | 'depth'>;
  readonly connection: { readonly witness: ReturnType<HostFigures['witness']> };
  readonly dispatcher: Pick<LocalDispatcher, 'loads'>;
  readonly states: { readonly counts: Counts };
  readonly service: Service;
  readonly inspection: Pick<Inspection, 'aggregates' | 'feed'>;
  readonly supervisor: Pick<Supervisor, 'tree'>;
  readonly health: HostHealth;
  readonly relay: () => Leased & { readonly counts: Readonly<RelayCounts> };
  readonly subscriber: () => (ReturnType<ReceivedFigures['subscriber']> & CountingSubscriber) | undefined;
  readonly lags: () => readonly PerspectiveLag[];
  readonly reactions: ReactionFigures['done'];
}

interface HostMeasures {
  readonly metrics: Metrics;
  readonly times: RequestDurations;
  /** `GET /metrics` */
  readonly route: RouteAddition;
}

/** Nothing is measured twice: every part keeps its own figures, and a scrape reads them. */
export function measureHost(parts: MeasuredParts, access: Access): HostMeasures {
  const { store, connection, dispatcher, states, service, inspection, supervisor } = parts;
  const { health, relay, subscriber, lags, reactions } = parts;
  const times = new RequestDurations();
  const metrics = createMetrics();
  metrics.add(
    times.family,
    ...lifecycleMetrics(() => inspection.aggregates()),
    ...deliveryFaultMetrics({ clocks: health.clocks, gaps: health.gaps, subscriber }),
    ...reactionMetrics({
      done: reactions,
      state: health.reactions,
      reservationConflicts: () => store.flushes.reserved,
    }),
    ...hostMetrics({
      flushes: () => store.flushes,
      commitQueue: () => store.depth,
      witness: () => connection.witness,
      backlog: health.backlog,
      transport: () => ({ out: outcomesOf(relay().counts), in: { ...subscriber()?.counts } }),
      leases: () => leasesOf(relay(), subscriber()),
      commands: () => dispatcher.loads,
      states: () => states.counts,
      lags,
      checks: () => health.board.results,
      systemEvents: () => service.parts.hooks.stored,
      children: () => supervisor.tree,
      droppedFrames: () => inspection.feed.dropped,
    }),
  );
  return { metrics, times, route: metricsRoute(metrics, access) };
}

const leasesOf = (relay: Leased, subscriber: Leased | undefined): Readonly<Record<string, boolean>> => ({
  outbox: relay.holdsLease,
  ...(subscriber === undefined ? {} : { inbox: subscriber.holdsLease }),
});

const outcomesOf = ({ published, filtered, refused, deadLettered }: RelayCounts): Counts => ({
  published,
  filtered,
  refused,
  dead: deadLettered,
});

type Read = MetricFamily['read'];

const counter = (name: string, help: string, read: Read): MetricFamily => ({
  name,
  help,
  type: 'counter',
  read,
});

const histogram = (name: string, help: string, read: Read): MetricFamily => ({
  name,
  help,
  type: 'histogram',
  read,
});

const gauge = (
  name: string,
  help: string,
  read: Read,
  aggregator: NonNullable<MetricFamily['aggregator']> = 'sum',
): MetricFamily => ({ name, help, type: 'gauge', aggregator, read });

/** Everything except requests; labels are names declared by the code or the application. */
export const hostMetrics = (figures: HostFigures): readonly MetricFamily[] => [
  ...storeMetrics(figures),
  ...transportMetrics(figures),
  gauge('svc_mailbox_depth', 'Commands waiting for their handler.', () =>
    figures.commands().map(({ command, waiting }) => ({ labels: { command }, value: waiting })),
  ),
  gauge('svc_waiting', 'What waits for its turn, by queue.', () => [
    {
      labels: { queue: 'mailbox' },
      value: figures.commands().reduce((sum, { waiting }) => sum + waiting, 0),
    },
    { labels: { queue: 'commits' }, value: figures.commitQueue() },
  ]),
  gauge('svc_handlers_running', 'Commands being handled.', () =>
    figures.commands().map(({ command, running }) => ({ labels: { command }, value: running })),
  ),
  counter('svc_decider_state_total', 'States of deciders, by where they came from.', () =>
    Object.entries(figures.states()).map(([from, value]) => ({ labels: { from }, value })),
  ),
  ...lagMetrics(figures),
  gauge(
    'svc_health_status',
    'Last result of each health check: 1 Healthy, 0.5 Degraded, 0 Unhealthy.',
    () =>
      figures.checks().map(({ name, status }) => ({ labels: { check: name }, value: statusValues[status] })),
    'min',
  ),
  counter('svc_system_events_total', 'System events stored, by type.', () =>
    [...figures.systemEvents()].map(([type, value]) => ({ labels: { event_type: type }, value })),
  ),
  counter('svc_child_restarts_total', 'Restarts of each part of the host after a crash.', () =>
    withDescendants(figures.children()).map(({ name, restarts }) => ({
      labels: { child: name },
      value: restarts,
    })),
  ),
  counter('svc_inspect_dropped_frames_total', 'Frames dropped because an inspector was too slow.', () =>
    singleSample(figures.droppedFrames()),
  ),
  gauge(
    'svc_build_info',
    'Running version.',
    () => [{ labels: { version, node: process.version }, value: 1 }],
    'first',
  ),
];

const statusValues: Readonly<Record<HealthStatus, number>> = { Healthy: 1, Degraded: 0.5, Unhealthy: 0 };

/** Children and their own children. */
const withDescendants = (children: readonly ChildStatus[]): readonly ChildStatus[] =>
  children.flatMap((child) => [child, ...withDescendants(child.children ?? [])]);

const singleSample = (value: Sample['value']): readonly Sample[] => [{ value }];

const storeMetrics = ({ flushes, commitQueue, witness }: HostFigures): readonly MetricFamily[] => [
  histogram('svc_append_batch_size', 'Units of work per commit.', () => singleSample(flushes().units)),
  histogram('svc_append_duration_seconds', 'Duration of a commit.', () => singleSample(flushes().seconds)),
  gauge('svc_commit_queue_depth', 'Units of work waiting for their commit.', () =>
    singleSample(commitQueue()),
  ),
  gauge(
    'svc_store_epoch',
    'Epoch of the store: raised when its server is promoted.',
    () => singleSample(witness().epoch),
    'max',
  ),
  counter('svc_store_losses_total', 'Losses of acknowledged events that this host noticed.', () =>
    singleSample(witness().losses),
  ),
  gauge(
    'svc_store_refuses_writes',
    '1 while nothing is written because the database lacks what was acknowledged.',
    () => singleSample(witness().isRefused ? 1 : 0),
    'max',
  ),
];

const transportMetrics = ({ backlog, transport, leases }: HostFigures): readonly MetricFamily[] => [
  gauge(
    'svc_outbox_pending_messages',
    'Messages not published yet; counted up to 20000.',
    () => singleSample(backlog().messages),
    'max',
  ),
  gauge(
    'svc_outbox_oldest_age_seconds',
    'Age of the oldest unpublished message.',
    () => singleSample(backlog().oldestAgeSeconds),
    'max',
  ),
  gauge('svc_lease_active', 'Whether this host publishes (outbox) or receives (inbox) for its store.', () =>
    Object.entries(leases()).map(([lease, isHeld]) => ({ labels: { lease }, value: isHeld ? 1 : 0 })),
  ),
  gauge(
    'svc_store_read_only',
    'Whether the database is read-only.',
    () => singleSample(backlog().isReadOnly ? 1 : 0),
    'max',
  ),
  counter('svc_transport_messages_total', 'Messages by direction and outcome.', () =>
    Object.entries(transport()).flatMap(([direction, counts]) =>
      Object.entries(counts).map(([outcome, value]) => ({ labels: { direction, outcome }, value })),
    ),
  ),
];

const lagMetrics = ({ lags }: HostFigures): readonly MetricFamily[] => [
  gauge(
    'svc_perspective_lag_events',
    'Events by which a perspective lags behind the log.',
    () => lags().map(({ name, events }) => ({ labels: { perspective: name }, value: events })),
    'max',
  ),
  gauge(
    'svc_perspective_lag_seconds',
    'Time by which a perspective lags behind the log.',
    () => lags().map(({ name, seconds }) => ({ labels: { perspective: name }, value: seconds })),
    'max',
  ),
];
