import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { errorTextOf, fingerprintOf } from '../../runtime/dead-letters/error-fingerprint.js';
import { messageDeadLettered } from '../../runtime/dead-letters/message-dead-lettered.js';
import { log } from '../../runtime/logging/log.js';
import type { Outbox, PendingMessage, Rejection } from '../../runtime/outbox/outbox.js';
import { retryDelayMs } from '../../runtime/lang/retry-delay.js';

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

interface Ports {
  readonly outbox: Pick<Outbox, 'recordRejection' | 'deadLetter'>;
  readonly report: (message: SystemMessage) => void;
}

/** Messages that the transport rejected: each is retried later or becomes a dead letter. */
export class RejectedMessages {
  constructor(
    private readonly ports: Ports,
    private readonly settings: RetrySettings,
    private readonly counts: { deadLettered: number },
  ) {}

  async retryOrDeadLetter(
    message: PendingMessage,
    error: unknown,
    attempts: number,
  ): Promise<PublishOutcome> {
    const { maxAttempts, firstRetryMs, maxRetryMs } = this.settings;
    if (isPermanent(error) || attempts >= maxAttempts) return this.deadLetter(message, error, attempts);
    const retryInMs = retryDelayMs(attempts, Math.random(), firstRetryMs, maxRetryMs);
    const held = await this.ports.outbox.recordRejection(message, rejectionOf(error, attempts), retryInMs);
    return held ? { is: 'refused', attempts, retryInMs } : { is: 'lost' };
  }

  async deadLetter(message: PendingMessage, error: unknown, attempts: number): Promise<PublishOutcome> {
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
