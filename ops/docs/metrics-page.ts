import { RequestDurations } from '../../endpoints/http/request-durations.js';
import { lifecycleMetrics } from '../../endpoints/lifecycle/lifecycle-metrics.js';
import { type HostFigures, hostMetrics } from '../host/metrics.js';
import { deliveryFaultMetrics, type ReceivedFigures } from '../host/delivery-fault-metrics.js';
import { type ReactionFigures, reactionMetrics } from '../host/reaction-metrics.js';
import { supervisedMetrics } from '../supervise/combine-host-metrics.js';
import { code, page, table } from './markdown.js';

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly hosts: string;
  readonly help: string;
}

/** What a host and its supervisor measure; nothing is read here, so the figures may be missing. */
const allMetrics = (): readonly Listed[] =>
  [
    ...[
      new RequestDurations().family,
      ...lifecycleMetrics(() => []),
      ...hostMetrics({} as HostFigures),
      ...deliveryFaultMetrics({} as ReceivedFigures),
      ...reactionMetrics({} as ReactionFigures),
    ].map(({ name, type, aggregator = 'sum', help }) => ({ name, type, hosts: aggregator, help })),
    ...supervisedMetrics([]).map(({ name, type, help }) => ({ name, type, hosts: 'by `host`', help })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));

export const metricsPage = (): string =>
  page(
    'Metrics',
    'Every metric of GET /metrics.',
    `\`GET /metrics\` answers in the Prometheus text format. Under \`svc supervise\` the figures of all hosts are
combined: counters and histograms are added up, and the column *hosts* shows how gauges are combined. The default metrics
of Node.js (\`nodejs_…\`, \`process_…\`) are included.

${table(
  ['metric', 'type', 'hosts', 'meaning'],
  allMetrics().map(({ name, type, hosts, help }) => [code(name), type, hosts, help]),
)}`,
  );
