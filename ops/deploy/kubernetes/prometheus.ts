import { isObject } from '../../../contracts/codec-scalars.js';
import { Problem } from '../../../contracts/problems.js';
import { send } from './api-request.js';
import { countIn, isError, requestCounter } from './metrics-text.js';
import type { RequestCounts } from './growing-counts.js';

/** One series of an instant query. */
interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

const timeoutMs = 4_000;
const longestAnswer = 16_777_216;

/** What the pods of a Deployment have counted, from a Prometheus that scrapes them with the labels namespace and pod. */
export async function countsInPrometheus(
  prometheus: URL,
  { namespace, deployment }: { readonly namespace: string; readonly deployment: string },
  ignored: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RequestCounts>> {
  const url = new URL(`${prometheus.pathname.replace(/\/$/, '')}/api/v1/query`, prometheus);
  const selector = `namespace="${namespace}",pod=~"${deployment}-[a-z0-9]+-[a-z0-9]+"`;
  url.search = new URLSearchParams({
    query: `sum by (pod, http_route, http_response_status_code) (${requestCounter}{${selector}})`,
  }).toString();
  const counts = new Map<string, RequestCounts>();
  for (const { metric, value } of await seriesAt(url, signal)) {
    // A pod without other requests is scraped all the same.
    const counted = ignored.has(metric['http_route'] ?? '') ? 0 : countIn(value[1]);
    const { requests, errors } = counts.get(metric['pod'] ?? '') ?? { requests: 0, errors: 0 };
    counts.set(metric['pod'] ?? '', {
      requests: requests + counted,
      errors: errors + (isError(metric['http_response_status_code']) ? counted : 0),
    });
  }
  return counts;
}

async function seriesAt(url: URL, signal: AbortSignal): Promise<readonly Series[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const request = { method: 'GET', url, accept: 'application/json', credentials: {}, limit: longestAnswer };
  try {
    const { status, text } = await send(request, limited);
    const answer = JSON.parse(text) as { readonly data?: { readonly result?: unknown } } | null;
    const result = answer?.data?.result;
    if (status === 200 && Array.isArray(result) && result.every(isSeries)) return result;
  } catch (cause) {
    signal.throwIfAborted();
    throw new Problem('cluster-unreachable', { detail: `Prometheus at ${url.host} does not answer.`, cause });
  }
  throw new Problem('cluster-unreachable', { detail: `Prometheus at ${url.host} refused the query.` });
}

const isSeries = (value: unknown): value is Series =>
  isObject(value) && isObject(value['metric']) && Array.isArray(value['value']);
