/** Requests that hosts have answered, and those answered with 5xx. */
interface RequestCounts {
  readonly requests: number;
  readonly errors: number;
}

const family = 'http_server_request_duration_seconds';
const counted = `${family}_count{`;
const ignored = /[{,]http_route="(?:\/health|\/metrics)/;
const failedStatus = /[{,]http_response_status_code="5\d\d"/;

/** Counts in the Prometheus text format; probes and scrapes do not count. */
export function requestCountsIn(metrics: string): RequestCounts {
  let requests = 0;
  let errors = 0;
  for (const line of metrics.split('\n')) {
    if (!line.startsWith(counted)) continue;
    const end = line.lastIndexOf('} ');
    const value = Number(line.slice(end + 2).split(' ', 1)[0]);
    const labels = line.slice(0, end);
    if (end === -1 || !isCount(value) || ignored.test(labels)) continue;
    requests += value;
    if (failedStatus.test(labels)) errors += value;
  }
  return { requests, errors };
}

/** Sums of larger numbers would be no numbers anymore. */
const isCount = (value: number): boolean => value >= 0 && value <= Number.MAX_SAFE_INTEGER;

/** Whether a text is what a host reports, and not, say, a page of a proxy. */
export const hasRequestCounts = (metrics: string): boolean => metrics.includes(family);

/** What was answered between two reads; counters start at zero when a host has restarted. */
export const countsBetween = (first: RequestCounts, second: RequestCounts): RequestCounts =>
  second.requests < first.requests || second.errors < first.errors
    ? second
    : { requests: second.requests - first.requests, errors: second.errors - first.errors };

/** More failures than this close the gate. */
export const toleratedErrorRate = 0.05;

export const errorRateOf = ({ requests, errors }: RequestCounts): number =>
  requests === 0 ? 0 : errors / requests;
