import { aggregatedText, type MetricsSnapshot } from '../../runtime/metrics.js';
import type { HostStatus } from './status-socket.js';

/** A host that can be asked what it measures. */
interface MeasuredHost {
  readonly status: HostStatus;
  metrics(): Promise<MetricsSnapshot | undefined>;
}

/** All hosts as if they were one, or one of them; undefined when there is none of that name. */
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

/** What only the supervisor knows. */
export const supervisedMetrics = (hosts: readonly HostStatus[]): readonly SupervisedMetric[] => [
  metric('svc_host_up', 'Whether a supervised host serves.', 'gauge', hosts, ({ state }) =>
    state === 'running' ? 1 : 0,
  ),
  metric(
    'svc_host_restarts_total',
    'How often a host was started again after it ended.',
    'counter',
    hosts,
    (host) => host.restarts,
  ),
  metric('svc_host_memory_bytes', 'What a host takes.', 'gauge', hosts, ({ memory = 0 }) => memory),
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
