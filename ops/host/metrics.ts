import type { PerspectiveLag } from '../../actors/health/named-checks.js';
import type { CommandLoad, LocalDispatcher } from '../../actors/commands/dispatcher.js';
import type { SubscriberCounts } from '../../actors/subscriber/subscriber-counts.js';
import type { RelayCounts } from '../../actors/outbox/relay-publisher.js';
import type { ChildStatus } from '../../actors/supervisor/child.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { CheckResult, HealthStatus } from '../../contracts/health.js';
import { RequestDurations } from '../../endpoints/http/request-durations.js';
import type { RouteAddition } from '../../endpoints/routes/server.js';
import type { Inspection } from '../../endpoints/inspection/inspection.js';
import { lifecycleMetrics } from '../../endpoints/lifecycle/lifecycle-metrics.js';
import { metricsRoute } from '../../endpoints/routes/metrics.js';
import type { Distribution } from '../../runtime/histogram.js';
import { createMetrics, type MetricFamily, type Metrics, type Sample } from '../../runtime/metrics.js';
import type { OutboxBacklog } from '../../runtime/outbox/backlog.js';
import type { Service } from '../../runtime/service/service.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { version } from '../../runtime/version.js';
import type { HostHealth } from './health.js';
import { type ReceivedFigures, receivedMetrics } from './received-metrics.js';

type Counts = Readonly<Record<string, number>>;

/** What the parts of a host count and time by themselves. */
export interface HostFigures {
  readonly flushes: () => { readonly units: Distribution; readonly seconds: Distribution };
  readonly commitQueue: () => number;
  readonly backlog: () => OutboxBacklog;
  /** What became of messages, by direction. */
  readonly transport: () => { readonly out: Counts; readonly in: Counts };
  /** Which leases this host works under, by name. */
  readonly leases: () => Readonly<Record<string, boolean>>;
  readonly commands: () => readonly CommandLoad[];
  readonly lags: () => readonly PerspectiveLag[];
  readonly checks: () => readonly CheckResult[];
  readonly systemEvents: () => ReadonlyMap<string, number>;
  readonly children: () => readonly ChildStatus[];
  readonly droppedFrames: () => number;
}

interface CountingSubscriber {
  readonly counts: Readonly<SubscriberCounts>;
  readonly state: string;
}

/** The parts of a host that measure something. */
interface MeasuredParts {
  readonly store: Pick<PostgresStore, 'flushes' | 'depth'>;
  readonly dispatcher: Pick<LocalDispatcher, 'loads'>;
  readonly service: Service;
  readonly inspection: Pick<Inspection, 'aggregates' | 'feed'>;
  readonly supervisor: Pick<Supervisor, 'tree'>;
  readonly health: HostHealth;
  readonly relay: () => { readonly counts: Readonly<RelayCounts>; readonly state: string };
  readonly subscriber: () => (ReturnType<ReceivedFigures['subscriber']> & CountingSubscriber) | undefined;
  readonly lags: () => readonly PerspectiveLag[];
}

interface HostMeasures {
  readonly metrics: Metrics;
  readonly times: RequestDurations;
  /** `GET /metrics` */
  readonly route: RouteAddition;
}

/** Nothing is measured twice: every part keeps its own figures, and they are read when somebody asks. */
export function measureHost(parts: MeasuredParts): HostMeasures {
  const { store, dispatcher, service, inspection, supervisor, health, relay, subscriber, lags } = parts;
  const times = new RequestDurations();
  const metrics = createMetrics();
  metrics.add(
    times.family,
    ...lifecycleMetrics(() => inspection.aggregates()),
    ...receivedMetrics({ clocks: health.clocks, gaps: health.gaps, subscriber }),
    ...hostMetrics({
      flushes: () => store.flushes,
      commitQueue: () => store.depth,
      backlog: health.backlog,
      transport: () => ({ out: outcomesOf(relay().counts), in: { ...subscriber()?.counts } }),
      leases: () => leasesOf(relay().state, subscriber()?.state),
      commands: () => dispatcher.loads,
      lags,
      checks: () => health.board.results,
      systemEvents: () => service.parts.hooks.stored,
      children: () => supervisor.tree,
      droppedFrames: () => inspection.feed.counts().dropped,
    }),
  );
  return { metrics, times, route: metricsRoute(metrics) };
}

/** An idle relay may have let its lease lapse; it takes it again when there is work. */
const leasesOf = (relay: string, subscriber: string | undefined): Readonly<Record<string, boolean>> => ({
  outbox: ['relaying', 'resting', 'idle'].includes(relay),
  ...(subscriber === undefined ? {} : { inbox: subscriber === 'receiving' }),
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
  together: NonNullable<MetricFamily['together']> = 'sum',
): MetricFamily => ({ name, help, type: 'gauge', together, read });

/** Everything but requests; labels are names that the code or the application declares. */
export const hostMetrics = (figures: HostFigures): readonly MetricFamily[] => [
  ...storeMetrics(figures),
  ...transportMetrics(figures),
  gauge('svc_mailbox_depth', 'Commands that wait for their handler.', () =>
    figures.commands().map(({ command, waiting }) => ({ labels: { command }, value: waiting })),
  ),
  gauge('svc_handlers_running', 'Commands that are being handled.', () =>
    figures.commands().map(({ command, running }) => ({ labels: { command }, value: running })),
  ),
  ...lagMetrics(figures),
  gauge(
    'svc_health_status',
    'The last result of each health check: 1 Healthy, 0.5 Degraded, 0 Unhealthy.',
    () =>
      figures.checks().map(({ name, status }) => ({ labels: { check: name }, value: statusValues[status] })),
    'min',
  ),
  counter('svc_system_events_total', 'System events that were stored, by type.', () =>
    [...figures.systemEvents()].map(([type, value]) => ({ labels: { event_type: type }, value })),
  ),
  counter('svc_child_restarts_total', 'How often a part of the host was started again after a crash.', () =>
    withDescendants(figures.children()).map(({ name, restarts }) => ({
      labels: { child: name },
      value: restarts,
    })),
  ),
  counter('svc_inspect_dropped_frames_total', 'Frames that somebody who inspects did not get.', () =>
    singleSample(figures.droppedFrames()),
  ),
  gauge(
    'svc_build_info',
    'The version that runs.',
    () => [{ labels: { version, node: process.version }, value: 1 }],
    'first',
  ),
];

const statusValues: Readonly<Record<HealthStatus, number>> = { Healthy: 1, Degraded: 0.5, Unhealthy: 0 };

/** Children, and those that they supervise themselves. */
const withDescendants = (children: readonly ChildStatus[]): readonly ChildStatus[] =>
  children.flatMap((child) => [child, ...withDescendants(child.children ?? [])]);

const singleSample = (value: Sample['value']): readonly Sample[] => [{ value }];

const storeMetrics = ({ flushes, commitQueue }: HostFigures): readonly MetricFamily[] => [
  histogram('svc_append_batch_size', 'Units of work that one commit carried.', () =>
    singleSample(flushes().units),
  ),
  histogram('svc_append_duration_seconds', 'How long one commit took.', () =>
    singleSample(flushes().seconds),
  ),
  gauge('svc_commit_queue_depth', 'Units of work that wait for their commit.', () =>
    singleSample(commitQueue()),
  ),
];

const transportMetrics = ({ backlog, transport, leases }: HostFigures): readonly MetricFamily[] => [
  gauge(
    'svc_outbox_pending_messages',
    'Messages that are not published yet; counted up to 20000.',
    () => singleSample(backlog().messages),
    'max',
  ),
  gauge(
    'svc_outbox_oldest_age_seconds',
    'How long the oldest unsent message has waited.',
    () => singleSample(backlog().oldestAgeSeconds),
    'max',
  ),
  gauge('svc_lease_active', 'Hosts that publish (outbox) or receive (inbox) for their store.', () =>
    Object.entries(leases()).map(([lease, isHeld]) => ({ labels: { lease }, value: isHeld ? 1 : 0 })),
  ),
  gauge(
    'svc_store_read_only',
    'Whether the database takes no writes.',
    () => singleSample(backlog().isReadOnly ? 1 : 0),
    'max',
  ),
  counter('svc_transport_messages_total', 'Messages by direction and what became of them.', () =>
    Object.entries(transport()).flatMap(([direction, counts]) =>
      Object.entries(counts).map(([outcome, value]) => ({ labels: { direction, outcome }, value })),
    ),
  ),
];

const lagMetrics = ({ lags }: HostFigures): readonly MetricFamily[] => [
  gauge(
    'svc_perspective_lag_events',
    'How many events a perspective is behind the log.',
    () => lags().map(({ name, events }) => ({ labels: { perspective: name }, value: events })),
    'max',
  ),
  gauge(
    'svc_perspective_lag_seconds',
    'How long a perspective is behind the log.',
    () => lags().map(({ name, seconds }) => ({ labels: { perspective: name }, value: seconds })),
    'max',
  ),
];
