import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { Distribution } from './histogram.js';
import { log } from '../logging/log.js';

type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number | Distribution;
}

/** One metric, read on request: its owner does the measuring. */
export interface MetricFamily {
  /** In base units: `_seconds`, `_bytes`, `_total` for counters. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How a gauge is aggregated over the hosts of one machine; counters and histograms are always added up. */
  readonly aggregator?: 'sum' | 'max' | 'min' | 'first';
  read(): Iterable<Sample>;
}

/** The metrics of a host, in a form that can be sent to another process. */
export type MetricsSnapshot = readonly object[];

export interface Metrics {
  readonly contentType: string;
  add(...families: readonly MetricFamily[]): void;
  /** The Prometheus text format. */
  text(): Promise<string>;
  snapshot(): Promise<MetricsSnapshot>;
  /** Set where several hosts answer as one: the text of all of them, or of the named one. */
  aggregated?: (host: string | undefined) => Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const ofNode = nodeMetrics();
  return {
    contentType: registry.contentType,
    add: (...families) => {
      for (const family of families) registry.registerMetric(metricOf(family));
    },
    text: async () => `${await registry.metrics()}\n${await ofNode.metrics()}`,
    snapshot: async () => [...(await registry.getMetricsAsJSON()), ...(await ofNode.getMetricsAsJSON())],
  };
}

/** The metrics of several hosts as if they were one. */
export const aggregated = (snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> =>
  AggregatorRegistry.aggregate(snapshots as MetricsSnapshot[]).getMetricsAsJSON();

export const aggregatedText = (snapshots: readonly MetricsSnapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate(snapshots as MetricsSnapshot[]).metrics();

/** What only grows: of a host that has gone, nothing else is true anymore. */
export const countsIn = (snapshot: MetricsSnapshot): MetricsSnapshot =>
  snapshot.filter(
    (family) => 'type' in family && /^(?:counter|histogram|summary)$/.test(String(family.type)),
  );

let nodeRegistry: Registry | undefined;

/** One per process: it observes the process. */
function nodeMetrics(): Registry {
  if (nodeRegistry !== undefined) return nodeRegistry;
  nodeRegistry = new Registry();
  collectDefaultMetrics({ register: nodeRegistry });
  // Gauges with the names of counters.
  for (const thing of ['handles', 'requests', 'resources'])
    nodeRegistry.removeSingleMetric(`nodejs_active_${thing}_total`);
  return nodeRegistry;
}

/** The registry only ever asks a metric for its values. */
function metricOf(family: MetricFamily): Metric {
  const { name, help, type, aggregator = 'sum' } = family;
  const get = (): Promise<MetricObjectWithValues<MetricValue<string>>> => {
    const values = samplesOf(family).flatMap((sample) => valuesOf(name, sample));
    return Promise.resolve({ name, help, type, aggregator, values } as never);
  };
  return { name, help, type, aggregator, get } as unknown as Metric;
}

/** A metric that cannot be read must not hide the others. */
function samplesOf(family: MetricFamily): readonly Sample[] {
  try {
    return [...family.read()];
  } catch (err) {
    log.warn({ err, metric: family.name }, 'a metric could not be read');
    return [];
  }
}

function valuesOf(name: string, { labels = {}, value }: Sample): readonly Value[] {
  if (typeof value === 'number') return [{ labels, value }];
  const { below, count, sum } = value;
  const bucket = (le: number | string, counted: number): Value => ({
    metricName: `${name}_bucket`,
    labels: { le, ...labels },
    value: counted,
  });
  return [
    ...below.map(([bound, counted]) => bucket(bound, counted)),
    bucket('+Inf', count),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}
