import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import { DestinationUnreachable, type Publisher, TransportUnreachable } from '../../contracts/transport.js';
import { errorTextOf, fingerprintOf } from '../../runtime/dead-letters/error-fingerprint.js';
import { messageDeadLettered } from '../../runtime/dead-letters/message-dead-lettered.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { retryDelayMs } from '../../runtime/lang/retry-delay.js';
import { log } from '../../runtime/logging/log.js';
import type { Outbox, PendingMessage, Rejection, Replay } from '../../runtime/outbox/outbox.js';
import { publishing } from '../../runtime/tracing/tracing.js';

export interface RetrySettings {
  /** After this many failed attempts a message becomes a dead letter. */
  readonly maxAttempts: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

/** `settled`: the cursor may pass the message. `lost`: another relay holds the lease. */
export type PublishOutcome =
  | { readonly is: 'settled' | 'unreachable' | 'lost' }
  | { readonly is: 'refused'; readonly attempts: number; readonly retryInMs: number };

export interface RelayPorts {
  readonly outbox: Outbox;
  readonly transport: Publisher;
  readonly filter: TransportPublishFilter;
  /** Emits in the background. */
  readonly report: (message: SystemMessage) => void;
  /** Called with every message that the broker has. */
  readonly onPublished?: (message: PendingMessage) => void;
}

/** Message counts by outcome. */
export class RelayCounts {
  published = 0;
  /** Excluded by the transport filter. */
  filtered = 0;
  refused = 0;
  deadLettered = 0;
}

type TransportAnswer =
  | 'published'
  | 'passed-over'
  | 'unreachable'
  | 'destination-unreachable'
  | { readonly refusal: unknown };

const destinationRetryMs = 1_000;

/** Publishes single messages; one that the transport rejects is retried later, or becomes a dead letter. */
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
    // Neither an attempt nor an obstacle: what goes elsewhere is published meanwhile.
    if (answer === 'destination-unreachable')
      return { is: 'refused', attempts, retryInMs: destinationRetryMs };
    if (typeof answer === 'string') return { is: 'settled' };
    return this.#retryOrDeadLetter(message, answer.refusal, attempts + 1);
  }

  /** One attempt; a dead letter that is refused again stays one. */
  async replay(replay: Replay): Promise<PublishOutcome> {
    const answer = await this.#publish(replay);
    if (answer === 'unreachable' || answer === 'destination-unreachable') return { is: 'unreachable' };
    if (answer === 'published') {
      await this.ports.outbox.markReplayed(replay);
      return { is: 'settled' };
    }
    const refusal = answer === 'passed-over' ? new Problem('held-back') : answer.refusal;
    return this.#deadLetter(replay, refusal, replay.attempts + 1);
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
      if (error instanceof DestinationUnreachable) return 'destination-unreachable';
      if (error instanceof TransportUnreachable) return 'unreachable';
      this.counts.refused++;
      return { refusal: error };
    }
    this.counts.published++;
    this.ports.onPublished?.(message);
    return 'published';
  }

  async #retryOrDeadLetter(
    message: PendingMessage,
    error: unknown,
    attempts: number,
  ): Promise<PublishOutcome> {
    const { maxAttempts, firstRetryMs, maxRetryMs } = this.settings;
    if (isPermanent(error) || attempts >= maxAttempts) return this.#deadLetter(message, error, attempts);
    const retryInMs = retryDelayMs(attempts, Math.random(), firstRetryMs, maxRetryMs);
    const held = await this.ports.outbox.recordRejection(message, rejectionOf(error, attempts), retryInMs);
    return held ? { is: 'refused', attempts, retryInMs } : { is: 'lost' };
  }

  async #deadLetter(message: PendingMessage, error: unknown, attempts: number): Promise<PublishOutcome> {
    const rejection = rejectionOf(error, attempts);
    if (!(await this.ports.outbox.deadLetter(message, rejection))) return { is: 'lost' };
    this.counts.deadLettered++;
    const { id: messageId, destination } = message;
    const { messageType } = message.envelope;
    const { error: lastError, fingerprint } = rejection;
    log.warn(
      { messageId, destination, ...rejection },
      'a message was refused for good and is now a dead letter',
    );
    const letter = { messageId, messageType, destination, attempts, lastError, fingerprint };
    const report = messageDeadLettered(letter);
    if (report !== undefined) this.ports.report(report);
    return { is: 'settled' };
  }
}

/** Retrying does not make a message smaller. */
const isPermanent = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'message-too-large';

const rejectionOf = (error: unknown, attempts: number): Rejection => ({
  error: errorTextOf(error),
  fingerprint: fingerprintOf(error),
  attempts,
});
