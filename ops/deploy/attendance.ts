import { reasonOnOneLine } from '../../actors/health/reason-on-one-line.js';
import type { Clock } from './clock.js';
import type { Journal } from './journal.js';

/** What a deployment ends for: part of a sentence, so it has no full stop of its own. */
class Because extends Error {
  constructor(reason: string) {
    super(withoutStop(reason));
  }
}

const withoutStop = (reason: string): string => reason.replace(/[.\s]+$/, '');

/** A step that did not succeed in time; the message says why. */
export class StepFailed extends Because {}

/** The operator ended the deployment. */
export class DeploymentAborted extends Because {}

/** Why a deployment was reverted that an operator aborted. */
export const abortText = (reason: string | undefined): string =>
  `aborted by an operator${reason === undefined || reason === '' ? '' : `: ${withoutStop(reason)}`}`;

const renewEveryMs = 500;
/** Reasons are stored, and printed on one line. */
export const mostOfReason = 1_000;

/** Keeps the lease while a step waits, and does what the operator asks meanwhile. */
export class Attendance {
  isPaused: boolean;
  #promotes = false;

  constructor(
    private readonly journal: Journal,
    readonly clock: Clock,
    /** Undefined while reverting: then nothing can be asked for. */
    private readonly interrupted: AbortSignal | undefined,
    isPaused: boolean,
  ) {
    this.isPaused = isPaused;
  }

  /** Whether the operator wants the current stage to end; asked once. */
  takePromotion(): boolean {
    const promotes = this.#promotes;
    this.#promotes = false;
    return promotes;
  }

  async attend(): Promise<void> {
    const { request, reason } = (await this.journal.renew()) ?? {};
    if (this.interrupted === undefined) return;
    if (this.interrupted.aborted) throw new DeploymentAborted('the deploy command was interrupted');
    if (request === 'abort') throw new DeploymentAborted(abortText(reason));
    if (request === 'promote') this.#promotes = true;
    const isPaused = request === 'pause' || (this.isPaused && request === undefined);
    if (isPaused !== this.isPaused) await this.journal.pause(isPaused);
    this.isPaused = isPaused;
  }

  async wait(ms: number): Promise<void> {
    await this.clock.sleep(Math.min(ms, renewEveryMs));
    await this.attend();
  }

  /** Calls the target; after `ms`, or when the operator aborts, the call is given up. */
  async during<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveUp = new AbortController();
    const until = this.clock.now() + ms;
    const settled = Promise.resolve(giveUp.signal)
      .then(call)
      .then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
    try {
      for (;;) {
        const outcome = await this.#settledWithin(settled, Math.min(until - this.clock.now(), renewEveryMs));
        if (outcome !== undefined) {
          if ('value' in outcome) return outcome.value;
          throw new StepFailed(reasonOnOneLine(outcome.error, mostOfReason));
        }
        if (this.clock.now() >= until) throw new StepFailed(`not done after ${Math.round(ms / 1_000)} s`);
        await this.attend();
      }
    } finally {
      giveUp.abort();
    }
  }

  async #settledWithin<T>(settled: Promise<T>, ms: number): Promise<T | undefined> {
    const done = new AbortController();
    try {
      return await Promise.race([settled, this.clock.sleep(ms, done.signal).then(() => undefined)]);
    } finally {
      done.abort();
    }
  }
}
