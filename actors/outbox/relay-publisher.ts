import type { SystemMessage } from '../../contracts/system-messages.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import { DestinationUnreachable, type Publisher, TransportUnreachable } from '../../contracts/transport.js';
import { Problem } from '../../contracts/problems.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import type { Outbox, PendingMessage, Replay } from '../../runtime/outbox/outbox.js';
import { publishing } from '../../runtime/tracing/tracing.js';
import { type PublishOutcome, RejectedMessages, type RetrySettings } from './retry-or-dead-letter.js';

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

/** Publishes single messages. */
export class RelayPublisher {
  readonly #rejected: RejectedMessages;

  constructor(
    private readonly ports: RelayPorts,
    settings: RetrySettings,
    private readonly counts: RelayCounts,
  ) {
    this.#rejected = new RejectedMessages(ports, settings, counts);
  }

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
    return this.#rejected.retryOrDeadLetter(message, answer.refusal, attempts + 1);
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
    return this.#rejected.deadLetter(replay, refusal, replay.attempts + 1);
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
}
