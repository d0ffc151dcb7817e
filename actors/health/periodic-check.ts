import { type EventObject, fromCallback } from 'xstate';
import type { HealthCheck, HealthReport } from '../../contracts/health.js';
import { reasonOnOneLine } from './reason-on-one-line.js';

/** What a check reports to the board. */
export interface CheckFinished {
  readonly type: 'checked';
  readonly name: string;
  readonly report: HealthReport;
  readonly latencyMs: number;
}

const defaultPeriodMs = 5_000;
const defaultTimeoutMs = 2_000;
const unhealthyPeriodMs = 1_000;
/** How long to wait before an attempt that hangs is abandoned; each may hold a connection. */
const patienceMs = 5_000;

/** Runs one check periodically, one attempt at a time; a late answer still starts the next attempt. */
export const periodicCheck = fromCallback<EventObject, HealthCheck, CheckFinished>(({ input, sendBack }) => {
  const { name, periodMs = defaultPeriodMs, timeoutMs = defaultTimeoutMs, failsAs = 'Unhealthy' } = input;
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
      sendReport({ status: failsAs, detail: `No answer within ${timeoutMs} ms.` }, patienceMs);
      patience.abort();
    };
    latest = patience;
    // After a pause of the whole process the answer may already be there: read it before the timer counts.
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
    return { ...report, detail: detail === undefined ? undefined : reasonOnOneLine(detail) };
  } catch (error) {
    return { status: check.failsAs ?? 'Unhealthy', detail: reasonOnOneLine(error) };
  }
}
