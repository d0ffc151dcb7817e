import { setTimeout as delay } from 'node:timers/promises';
import type { Msg } from 'nats';
import type { InboundMessage, SubscriptionRequest, Acknowledgement } from '../../contracts/transport.js';
import { log } from '../logging/log.js';
import { ackWaitMs } from './nats-consumer.js';
import { headersIn } from './nats-headers.js';
import type { NatsLink } from './nats-link.js';
import { deliveryOf } from './nats-pull.js';
import { subjectMatches } from './subjects.js';

const inProgressEveryMs = ackWaitMs / 3;
const retryMs = 1_000;

/**
 * Completes a batch: a postponed message and everything after it is kept and handled again, so that the order holds.
 * Acknowledgements use the current session; a batch outlives the session it arrived on.
 */
export class NatsBatchSettler {
  #tries = 0;

  constructor(
    private readonly link: NatsLink,
    private readonly request: SubscriptionRequest,
    private readonly signal: AbortSignal,
  ) {}

  async settle(batch: readonly Msg[]): Promise<void> {
    const { subjects } = this.request;
    const isWanted = (message: Msg) =>
      subjects.some((pattern) => subjectMatches(pattern, this.#destinationOf(message)));
    let rest = batch.filter(isWanted);
    await this.#acknowledge(
      batch.filter((message) => !isWanted(message)),
      '+ACK',
    );
    const inProgress = setInterval(() => {
      if (this.#mayKeep) this.#acknowledgeNow(rest, '+WPI');
    }, inProgressEveryMs);
    try {
      while (rest.length > 0 && !this.signal.aborted) {
        const { done, redeliverInMs: againInMs } = await this.#handle(rest);
        await this.#acknowledge(rest.slice(0, done), '+ACK');
        rest = rest.slice(done);
        if (rest.length > 0)
          await delay(againInMs, undefined, { signal: this.signal }).catch(() => undefined);
      }
    } finally {
      clearInterval(inProgress);
      this.#acknowledgeNow(rest, '-NAK');
    }
  }

  /** After a stop or a lost lease another subscriber waits for these messages, however long they are handled here. */
  get #mayKeep(): boolean {
    return !this.signal.aborted && (this.request.leaseRemainingMs?.() ?? Infinity) > 0;
  }

  async #handle(rest: readonly Msg[]): Promise<{ readonly done: number; readonly redeliverInMs: number }> {
    const tries = this.#tries++;
    try {
      const answers = await this.request.handle(
        rest.map((message) => inbound(message, this.#destinationOf(message), tries)),
      );
      const done = answers.findIndex((one) => one !== 'done');
      return done < 0
        ? { done: rest.length, redeliverInMs: 0 }
        : { done, redeliverInMs: redeliveryDelayOf(answers[done]) };
    } catch (err) {
      if (tries === 0) log.warn({ err, subscription: this.request.name }, 'a batch failed and is retried');
      return { done: 0, redeliverInMs: retryMs };
    }
  }

  #destinationOf({ subject }: Msg): string {
    return this.link.names.destinationOf(subject);
  }

  /** Waits for a session; without one the broker redelivers the messages. */
  async #acknowledge(messages: readonly Msg[], answer: string): Promise<void> {
    if (messages.length === 0) return;
    await this.link.next(this.signal).catch(() => undefined);
    this.#acknowledgeNow(messages, answer);
  }

  #acknowledgeNow(messages: readonly Msg[], answer: string): void {
    const connection = this.link.session?.connection;
    if (connection === undefined || connection.isClosed()) return;
    for (const { reply } of messages) if (reply !== undefined) connection.publish(reply, answer);
  }
}

const redeliveryDelayOf = (answers: Acknowledgement | undefined): number =>
  typeof answers === 'object' ? answers.redeliverInMs : 0;

function inbound(message: Msg, subject: string, tries: number): InboundMessage {
  const headers = headersIn(message);
  return {
    subject,
    body: message.data,
    header: (name) => (headers?.has(name) === true ? headers.get(name) : undefined),
    delivery: deliveryOf(message) + tries,
    unanswered: deliveryOf(message) - 1,
  };
}
