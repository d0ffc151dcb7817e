import { aggregatedText, type MetricsSnapshot } from '../../runtime/metrics.js';
import type { HostStatus } from './status-socket.js';

/** A host whose metrics can be requested. */
interface MeasuredHost {
  readonly status: HostStatus;
  metrics(): Promise<MetricsSnapshot | undefined>;
}

/** The metrics of all hosts combined, or of one; undefined if there is no host of that name. */
export async function metricsOf(
  hosts: readonly MeasuredHost[],
  only: string | undefined,
): Promise<string | undefined> {
  const asked = only === undefined ? hosts : hosts.filter(({ status }) => status.name === only);
  if (asked.length === 0) return undefined;
  const snapshots = await Promise.all(asked.map((host) => host.metrics()));
  const supervised = supervisedMetrics(asked.map(({ status }) => status));
  return aggregatedText([...snapshots.filter((snapshot) => snapshot !== undefined), supervised]);
}

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
