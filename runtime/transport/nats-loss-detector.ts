import type { ConsumerInfo, Msg, NatsConnection } from 'nats';
import type { SubscriptionRequest } from '../../contracts/transport.js';
import { log } from '../logging/log.js';
import { deliveryOf, sequenceOf } from './nats-pull.js';
import { managerOf } from './nats-streams.js';

const rememberedMs = 3_600_000;

/**
 * Detects messages that the broker lost before we handled them: retention was too short, or a stream was deleted and
 * created again. A consumer with a filter cannot know: removed messages may not have matched it.
 */
export class NatsLossDetector {
  #created: string | undefined;
  /** The sequence of the last delivered message; undefined: the next one cannot be predicted. */
  #last: number | undefined;
  #removed = 0;
  #recreated = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly request: Pick<SubscriptionRequest, 'streamCreated' | 'noteStream'>) {
    this.#created = request.streamCreated;
  }

  /** How often messages were lost. */
  get count(): number {
    return this.#removed + this.#recreated;
  }

  /** One line while the loss is recent; undefined: no known loss. */
  get text(): string | undefined {
    if (performance.now() - this.#lastAt > rememberedMs) return undefined;
    const recreated =
      this.#recreated > 0 ? 'A stream of the broker was deleted and created again.' : undefined;
    const removed =
      this.#removed > 0
        ? `The broker removed ${this.#removed} messages before they were handled.`
        : undefined;
    const losses = [recreated, removed].filter((one) => one !== undefined).join(' ');
    return `${losses} Run svc outbox republish at the stores that sent them to get them back.`;
  }

  async check(connection: NatsConnection, { stream_name, config, delivered }: ConsumerInfo): Promise<void> {
    const { streams } = await managerOf(connection);
    const { created } = await streams.info(stream_name);
    const known = this.#created;
    const wasRecreated = known !== undefined && known !== created;
    this.#created = created;
    if (wasRecreated) this.#last = undefined;
    if (config.filter_subject === undefined || config.filter_subject === '')
      this.#last ??= delivered.stream_seq;
    if (wasRecreated) {
      this.#recreated++;
      this.#note({ stream: stream_name }, 'a stream of the broker was deleted and created again');
    }
    // After the report: what is noted is not reported again.
    if (known !== created) await this.request.noteStream?.(created);
  }

  /** Without a filter, sequences have no gaps. */
  took(batch: readonly Msg[]): void {
    if (this.#last === undefined) return;
    let removed = 0;
    for (const message of batch) {
      const sequence = sequenceOf(message);
      if (deliveryOf(message) === 1 && this.#last > 0) removed += Math.max(0, sequence - this.#last - 1);
      this.#last = Math.max(this.#last, sequence);
    }
    if (removed === 0) return;
    this.#removed += removed;
    this.#note({ removed }, 'the broker removed messages before they were handled');
  }

  #note(what: object, text: string): void {
    this.#lastAt = performance.now();
    log.error(what, text);
  }
}
