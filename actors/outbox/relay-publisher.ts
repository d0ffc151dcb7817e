import type { SystemMessage } from '../../contracts/system-messages.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import { type Publisher, TransportUnreachable } from '../../contracts/transport.js';
import { Problem } from '../../contracts/problems.js';
import { failpoint } from '../../runtime/failpoint.js';
import { deadLetterReport } from '../../runtime/outbox/dead-letter-report.js';
import { log } from '../../runtime/log.js';
import type { Outbox, PendingMessage, Rejection, Replay } from '../../runtime/outbox/outbox.js';
import { errorTextOf, fingerprintOf, retryDelayMs } from '../../runtime/outbox/retry.js';
import { publishing } from '../../runtime/tracing.js';

export interface RelayPorts {
  readonly outbox: Outbox;
  readonly transport: Publisher;
  readonly filter: TransportPublishFilter;
  /** Emits in the background. */
  readonly report: (message: SystemMessage) => void;
}

export interface RetrySettings {
  /** After this many failed attempts a message becomes a dead letter. */
  readonly maxAttempts: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

/** Message counts by outcome. */
export interface RelayCounts {
  published: number;
  /** Excluded by the transport filter. */
  filtered: number;
  refused: number;
  deadLettered: number;
}

/** `settled`: the cursor may pass the message. `lost`: another relay holds the lease. */
export type PublishOutcome =
  | { readonly is: 'settled' | 'unreachable' | 'lost' }
  | { readonly is: 'refused'; readonly attempts: number; readonly retryInMs: number };

type TransportAnswer = 'published' | 'passed-over' | 'unreachable' | { readonly refusal: unknown };

/** Publishes single messages and counts their attempts. */
export class RelayPublisher {
  constructor(
    private readonly ports: RelayPorts,
    private readonly settings: RetrySettings,
    private readonly counts: RelayCounts,
  ) {}

  get hasSubscribers(): boolean {
    return this.ports.transport.hasSubscribers !== false;
  }

  get keepsOrder(): boolean {
    return this.ports.transport.keepsOrder === true;
  }

  async publish(message: PendingMessage, attempts: number): Promise<PublishOutcome> {
    const answer = await this.#publish(message);
    if (answer === 'unreachable') return { is: answer };
    if (typeof answer === 'string') return { is: 'settled' };
    const refusal = refusalOf(answer.refusal, attempts + 1);
    return isPermanent(answer.refusal)
      ? this.#deadLetter(message, refusal)
      : this.#retryOrDeadLetter(message, refusal);
  }

  /** One attempt; a dead letter that is refused again stays one. */
  async replay(replay: Replay): Promise<PublishOutcome> {
    const answer = await this.#publish(replay);
    if (answer === 'unreachable') return { is: answer };
    if (answer === 'published') {
      await this.ports.outbox.markReplayed(replay);
      return { is: 'settled' };
    }
    const refusal = answer === 'passed-over' ? new Problem('held-back') : answer.refusal;
    return this.#deadLetter(replay, refusalOf(refusal, replay.attempts + 1));
  }

  async #publish(message: PendingMessage): Promise<TransportAnswer> {
    if (!this.ports.filter.shouldPublishToTransport(message.envelope)) {
      this.counts.filtered++;
      return 'passed-over';
    }
    try {
      failpoint('outbox-before-publish');
      await publishing(message, (traced) => this.ports.transport.publish(traced));
      failpoint('outbox-after-publish');
    } catch (error) {
      if (error instanceof TransportUnreachable) return 'unreachable';
      this.counts.refused++;
      return { refusal: error };
    }
    this.counts.published++;
    return 'published';
  }

  async #retryOrDeadLetter(message: PendingMessage, refusal: Rejection): Promise<PublishOutcome> {
    const { maxAttempts, firstRetryMs, maxRetryMs } = this.settings;
    if (refusal.attempts >= maxAttempts) return this.#deadLetter(message, refusal);
    const retryInMs = retryDelayMs(refusal.attempts, Math.random(), firstRetryMs, maxRetryMs);
    const held = await this.ports.outbox.recordRejection(message, refusal, retryInMs);
    return held ? { is: 'refused', attempts: refusal.attempts, retryInMs } : { is: 'lost' };
  }

  async #deadLetter(message: PendingMessage, refusal: Rejection): Promise<PublishOutcome> {
    if (!(await this.ports.outbox.deadLetter(message, refusal))) return { is: 'lost' };
    this.counts.deadLettered++;
    const { id: messageId, destination } = message;
    log.warn(
      { messageId, destination, ...refusal },
      'a message was refused for good and is now a dead letter',
    );
    const report = deadLetterReport(message, refusal);
    if (report !== undefined) this.ports.report(report);
    return { is: 'settled' };
  }
}

/** Retrying does not make a message smaller. */
const isPermanent = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'message-too-large';

const refusalOf = (error: unknown, attempts: number): Rejection => ({
  error: errorTextOf(error),
  fingerprint: fingerprintOf(error),
  attempts,
});
