import { StepFailed } from './attendance.js';
import type { Measured } from './journal.js';
import type { DeploymentOptions, Step } from './steps.js';
import { observed, type Surroundings } from './surroundings.js';
import type { Report } from './target.js';

const pollMs = 500;
/** Hosts that restart are back sooner. */
const unservedMs = 5_000;

/**
 * Reverts as soon as enough requests show too many errors. When the time of the stage is over, it waits for what it
 * cannot decide without: enough requests, and metrics. A pause stops the time of the stage, not the watch.
 */
export async function watchStage(
  { forMs, holds }: Extract<Step, { do: 'watch' }>,
  stage: number,
  within: Surroundings,
): Promise<void> {
  const { attendance, options, journal } = within;
  const sample = new Sample();
  let spentMs = 0;
  let at = attendance.clock.now();
  let servedAt = at;
  for (;;) {
    const report = await observed(within);
    const missing = sample.add(report);
    const { measured } = sample;
    if (sample.hasChanged && measured !== undefined) await journal.measure(stage, measured);
    mustHaveFewErrors(measured, options);
    const now = attendance.clock.now();
    if (!attendance.isPaused) spentMs += now - at;
    at = now;
    // A front without a host to ask counts no request of the new revision, so the error rate would stay low.
    if (typeof report === 'string' || report.new.ready > 0) servedAt = now;
    if (now - servedAt >= unservedMs)
      throw new StepFailed(`no host of the new revision was ready for ${unservedMs / 1_000} s`);
    const lacking = missing ?? (holds ? lackOf(measured, options) : undefined);
    const isServed = servedAt === now;
    if (isServed && attendance.takePromotion()) return;
    if (isServed && !attendance.isPaused && spentMs >= forMs) {
      if (lacking === undefined) return;
      if (spentMs >= forMs + options.holdMs)
        throw new StepFailed(`${lacking}, and the hold of ${Math.round(options.holdMs / 1_000)} s is over`);
    }
    await attendance.wait(spentMs < forMs ? Math.min(pollMs, forMs - spentMs) : pollMs);
  }
}

function mustHaveFewErrors(
  measured: Measured | undefined,
  { minSample, maxErrors }: DeploymentOptions,
): void {
  if (measured === undefined || measured.requests < minSample) return;
  const { requests, errors } = measured;
  if (errors * 100 > maxErrors * requests)
    throw new StepFailed(
      `${errorRate(requests, errors)} of ${requests} requests failed, more than ${maxErrors} %`,
    );
}

const lackOf = (measured: Measured | undefined, { minSample }: DeploymentOptions): string | undefined =>
  measured !== undefined && measured.requests >= minSample
    ? undefined
    : `not enough traffic: ${measured?.requests ?? 0} of ${minSample} requests`;

export const errorRate = (requests: number, errors: number): string =>
  requests === 0 ? '–' : `${Math.round((errors * 1_000) / requests) / 10} %`;

/** What both sides answered since the stage began. */
class Sample {
  measured: Measured | undefined;
  hasChanged = false;
  #start: Report | undefined;

  /** Returns why nothing was measured. */
  add(report: Report | string): string | undefined {
    this.hasChanged = false;
    if (typeof report === 'string') return `no metrics: ${report}`;
    if (report.unmeasured !== undefined) return `no metrics: ${report.unmeasured}`;
    // Counters that start again after a restart of the front would give a negative sample.
    if (this.#start === undefined || report.new.requests < this.#start.new.requests) this.#start = report;
    const measured = differenceOf(this.#start, report);
    this.hasChanged =
      measured.requests !== this.measured?.requests || measured.errors !== this.measured.errors;
    this.measured = measured;
    return undefined;
  }
}

const differenceOf = (start: Report, end: Report): Measured => ({
  toNew: end.toNew,
  requests: end.new.requests - start.new.requests,
  errors: Math.max(0, end.new.errors - start.new.errors),
  oldRequests: Math.max(0, end.old.requests - start.old.requests),
  oldErrors: Math.max(0, end.old.errors - start.old.errors),
});
