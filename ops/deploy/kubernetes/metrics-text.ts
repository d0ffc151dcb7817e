import { Problem } from '../../../contracts/problems.js';
import type { RequestCounts } from './growing-counts.js';

/** What the metrics of one pod say about its requests. */
export interface PodFigures extends RequestCounts {
  /** Commands that wait or are being handled. */
  readonly inFlight: number;
}

export const requestCounter = 'http_server_request_duration_seconds_count';
const inFlightGauges = new Set(['svc_handlers_running', 'svc_mailbox_depth']);

/** Longer answers are cut off: the metrics of a host are some hundred kilobytes. */
export const longestMetrics = 4_194_304;

const longestLine = 4_096;

/** Reads the Prometheus text format, line by line; lines of other metrics cost nothing but their length. */
export function figuresIn(text: string, ignoredRoutes: ReadonlySet<string>): PodFigures {
  let [requests, errors, inFlight] = [0, 0, 0];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end);
    start = end + 1;
    const name = line.slice(0, /[{\s]|$/.exec(line)?.index);
    if (inFlightGauges.has(name)) inFlight += valueIn(line);
    if (name !== requestCounter || line.length > longestLine) continue;
    const labels = labelsIn(line);
    if (ignoredRoutes.has(labels.get('http_route') ?? '')) continue;
    const value = valueIn(line);
    requests += value;
    if (isError(labels.get('http_response_status_code'))) errors += value;
  }
  return { requests, errors, inFlight };
}

export const isError = (status: string | undefined): boolean => status?.startsWith('5') === true;

/** The value is the last word, unless a timestamp follows: our hosts write none. */
const valueIn = (line: string): number => countIn(line.slice(line.lastIndexOf(' ') + 1));

/** A count that is not known must not pass for zero: errors would stay unseen, and the next report would add them again. */
export function countIn(text: unknown): number {
  const count = typeof text === 'string' && /^\d/.test(text) ? Number(text) : NaN;
  if (count <= Number.MAX_SAFE_INTEGER) return count;
  throw new Problem('cluster-refused', { detail: 'The metrics contain a number that no host can count.' });
}

function labelsIn(line: string): ReadonlyMap<string, string> {
  return new Map(
    [...line.matchAll(/([a-z_]{1,64})="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}
