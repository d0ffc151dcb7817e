import { type EventObject, fromCallback } from 'xstate';
import type { HealthCheck, HealthReport } from '../../contracts/health.js';

/** What a check tells the board. */
export interface CheckFinished {
  readonly type: 'checked';
  readonly name: string;
  readonly report: HealthReport;
  readonly latencyMs: number;
}

const defaultPeriodMs = 5_000;
const defaultTimeoutMs = 2_000;
const unhealthyPeriodMs = 1_000;
/** An attempt that hangs is left behind after so long: each one may hold a connection. */
const patienceMs = 5_000;

/** Asks one check again and again, one attempt at a time; an answer that comes too late still starts the next attempt. */
export const healthCheck = fromCallback<EventObject, HealthCheck, CheckFinished>(({ input, sendBack }) => {
  const { name, periodMs = defaultPeriodMs, timeoutMs = defaultTimeoutMs } = input;
  let isStopped = false;
  let next: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;
  let latest: AbortController | undefined;

  const attempt = (): void => {
    const startedAt = performance.now();
    const patience = new AbortController();
    let isReported = false;
    const sendReport = (report: HealthReport, thenInMs: number): void => {
      clearTimeout(late);
      if (isStopped) return;
      isReported = true;
      const { latencyMs = performance.now() - startedAt } = report;
      sendBack({ type: 'checked', name, report, latencyMs });
      again(thenInMs);
    };
    const giveUp = (): void => {
      if (isReported) return;
      sendReport({ status: 'Unhealthy', detail: `There was no answer within ${timeoutMs} ms.` }, patienceMs);
      patience.abort();
    };
    latest = patience;
    // After a pause of the whole process the answer may be there already: it is read before the timer counts.
    late = setTimeout(() => setImmediate(giveUp), timeoutMs);
    void runCheck(input, patience.signal).then((report) => {
      if (isReported) return again(0);
      const pauseMs = report.status === 'Unhealthy' ? Math.min(periodMs, unhealthyPeriodMs) : periodMs;
      sendReport(report, startedAt + pauseMs - performance.now());
    });
  };
  const again = (ms: number): void => {
    clearTimeout(next);
    if (!isStopped) next = setTimeout(attempt, Math.max(0, ms));
  };

  attempt();
  return () => {
    isStopped = true;
    clearTimeout(next);
    clearTimeout(late);
    latest?.abort();
  };
});

async function runCheck(check: HealthCheck, signal: AbortSignal): Promise<HealthReport> {
  try {
    const { detail, ...report } = await check.check(signal);
    return { ...report, detail: detail === undefined ? undefined : onOneLine(detail) };
  } catch (error) {
    return { status: 'Unhealthy', detail: onOneLine(error) };
  }
}

const maxDetailLength = 200;

/** What went wrong, on one line, without what stands before the @ of a URL. */
export function onOneLine(reason: unknown): string {
  const text = reason instanceof Error ? messageOf(reason) : String(reason);
  const [line = ''] = text.split('\n', 1);
  return line.replaceAll(/\/\/[^\s/]*@/g, '//').slice(0, maxDetailLength);
}

/** An AggregateError of a refused connection says nothing itself. */
const messageOf = ({ message, name, ...rest }: Error & { readonly code?: unknown }): string =>
  message || (typeof rest.code === 'string' ? rest.code : name);
