import { aggregated, aggregatedText, countsIn, type MetricsSnapshot } from '../../runtime/metrics/metrics.js';
import type { HostStatus } from './status-socket.js';

/** A host whose metrics can be requested. */
interface MeasuredHost {
  readonly status: HostStatus;
  metrics(): Promise<MetricsSnapshot | undefined>;
}

/** The metrics of one host, or of all as if they were one. */
export class HostMetrics {
  /** By process: a new host of the same name counts from zero. */
  #last: ReadonlyMap<number, MetricsSnapshot> = new Map();
  /** What hosts had counted before they were replaced: Prometheus takes a sum that falls for one that began again. */
  #departed: Promise<MetricsSnapshot> = Promise.resolve([]);

  constructor(private readonly hosts: () => readonly MeasuredHost[]) {}

  /** Undefined if there is no host of that name. */
  async text(only: string | undefined): Promise<string | undefined> {
    const asked = this.hosts().filter(({ status }) => only === undefined || status.name === only);
    if (asked.length === 0) return undefined;
    const answers = await Promise.all(asked.map((host) => host.metrics()));
    const answered = answers.filter((answer) => answer !== undefined);
    const counted =
      only === undefined
        ? await this.#withMissing(asked.map(({ status }, n) => [status.pid, answers[n]]))
        : answered;
    const supervised = supervisedMetrics(asked.map(({ status }) => status));
    return aggregatedText([...counted, supervised]);
  }

  /** Adds the last counts of hosts that are too busy to answer, and of those that have gone. */
  async #withMissing(answers: readonly Answer[]): Promise<readonly MetricsSnapshot[]> {
    // Read now: hosts may have been replaced while they were asked, and another request may have counted that.
    const present = new Set(this.hosts().map(({ status }) => status.pid));
    const gone = [...this.#last].filter(([pid]) => !present.has(pid)).map(([, counts]) => counts);
    if (gone.length > 0) this.#departed = this.#departed.then((departed) => aggregated([departed, ...gone]));
    const answered = new Map(
      answers.flatMap(([pid, metrics]) =>
        metrics && pid && present.has(pid) ? [[pid, metrics] as const] : [],
      ),
    );
    const silent = [...this.#last].filter(([pid]) => present.has(pid) && !answered.has(pid));
    this.#last = new Map([
      ...silent,
      ...[...answered].map(([pid, metrics]) => [pid, countsIn(metrics)] as const),
    ]);
    return [...answered.values(), ...silent.map(([, counts]) => counts), await this.#departed];
  }
}

type Answer = readonly [pid: number | undefined, metrics: MetricsSnapshot | undefined];

interface SupervisedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly aggregator: string;
  readonly values: readonly object[];
}

/** Metrics that only the supervisor knows. */
export const supervisedMetrics = (hosts: readonly HostStatus[]): readonly SupervisedMetric[] => [
  metric('svc_host_up', 'Whether a supervised host is serving.', 'gauge', hosts, ({ state }) =>
    state === 'running' ? 1 : 0,
  ),
  metric(
    'svc_host_restarts_total',
    'Restarts of a host after it exited.',
    'counter',
    hosts,
    (host) => host.restarts,
  ),
  metric('svc_host_memory_bytes', 'Memory used by a host.', 'gauge', hosts, ({ memory = 0 }) => memory),
];

const metric = (
  name: string,
  help: string,
  type: 'gauge' | 'counter',
  hosts: readonly HostStatus[],
  valueOf: (host: HostStatus) => number,
): SupervisedMetric => ({
  name,
  help,
  type,
  aggregator: 'sum',
  values: hosts.map((host) => ({ labels: { host: host.name }, value: valueOf(host) })),
});
