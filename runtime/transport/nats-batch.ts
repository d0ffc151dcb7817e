import { setTimeout as delay } from 'node:timers/promises';
import type { Msg } from 'nats';
import type { InboundMessage, SubscriptionRequest, Taken } from '../../contracts/transport.js';
import { log } from '../log.js';
import { ackWaitMs } from './nats-consumer.js';
import { headersIn } from './nats-headers.js';
import type { NatsLink } from './nats-link.js';
import { deliveryOf } from './nats-pull.js';
import { subjectMatches } from './subjects.js';

const signOfLifeMs = ackWaitMs / 3;
const afterFailureMs = 1_000;

/**
 * Brings a batch to its end: what is put off, and everything behind it, is kept and taken again, so that
 * the order stands. Answers go out on whatever session is up by then; a batch outlives the one it came on.
 */
export class NatsBatch {
  #tries = 0;

  constructor(
    private readonly link: NatsLink,
    private readonly request: SubscriptionRequest,
    private readonly signal: AbortSignal,
  ) {}

  async settle(batch: readonly Msg[]): Promise<void> {
    const { subjects } = this.request;
    const isWanted = ({ subject }: Msg) => subjects.some((pattern) => subjectMatches(pattern, subject));
    let rest = batch.filter(isWanted);
    await this.#answer(
      batch.filter((message) => !isWanted(message)),
      '+ACK',
    );
    const signs = setInterval(() => this.#answerNow(rest, '+WPI'), signOfLifeMs);
    try {
      while (rest.length > 0 && !this.signal.aborted) {
        const { done, againInMs } = await this.#take(rest);
        await this.#answer(rest.slice(0, done), '+ACK');
        rest = rest.slice(done);
        if (rest.length > 0)
          await delay(againInMs, undefined, { signal: this.signal }).catch(() => undefined);
      }
    } finally {
      clearInterval(signs);
      this.#answerNow(rest, '-NAK');
    }
  }

  async #take(rest: readonly Msg[]): Promise<{ readonly done: number; readonly againInMs: number }> {
    const tries = this.#tries++;
    try {
      const taken = await this.request.take(rest.map((message) => inbound(message, tries)));
      const done = taken.findIndex((one) => one !== 'done');
      return done < 0 ? { done: rest.length, againInMs: 0 } : { done, againInMs: putOff(taken[done]) };
    } catch (err) {
      if (tries === 0)
        log.warn({ err, subscription: this.request.name }, 'a batch failed and is tried again');
      return { done: 0, againInMs: afterFailureMs };
    }
  }

  /** Waits for a session; without one the broker brings the messages again. */
  async #answer(messages: readonly Msg[], answer: string): Promise<void> {
    if (messages.length === 0) return;
    await this.link.next(this.signal).catch(() => undefined);
    this.#answerNow(messages, answer);
  }

  #answerNow(messages: readonly Msg[], answer: string): void {
    const connection = this.link.session?.connection;
    if (connection === undefined || connection.isClosed()) return;
    for (const { reply } of messages) if (reply !== undefined) connection.publish(reply, answer);
  }
}

const putOff = (taken: Taken | undefined): number => (typeof taken === 'object' ? taken.againInMs : 0);

function inbound(message: Msg, tries: number): InboundMessage {
  const headers = headersIn(message);
  return {
    subject: message.subject,
    body: message.data,
    header: (name) => (headers?.has(name) === true ? headers.get(name) : undefined),
    delivery: deliveryOf(message) + tries,
    unanswered: deliveryOf(message) - 1,
  };
}
