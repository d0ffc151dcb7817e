import { setTimeout as delay } from 'node:timers/promises';
import {
  type InboundMessage,
  type OutboundMessage,
  type Subscription,
  type SubscriptionRequest,
  type Transport,
  TransportUnreachable,
} from '../../contracts/transport.js';
import { encodeEnvelope } from '../envelope/envelope-codec.js';
import { outboundHeaders } from './outbound-headers.js';
import { subjectMatches } from './subjects.js';

/** Delivers messages to subscribers in the same process; a message is delivered when all of them have acknowledged it. */
export class InProcessTransport implements Transport {
  readonly #subscriptions = new Set<SubscriptionRequest>();
  #closed = false;

  get hasSubscribers(): boolean {
    return this.#closed || this.#subscriptions.size > 0;
  }

  subscribe(request: SubscriptionRequest): Subscription {
    const subscriptions = this.#subscriptions.add(request);
    return {
      name: request.name,
      get isUp() {
        return subscriptions.has(request);
      },
      stop: () => {
        subscriptions.delete(request);
        return Promise.resolve();
      },
    };
  }

  /** A subscriber that throws rejects the message, and all of them get it again. */
  async publish(message: OutboundMessage): Promise<void> {
    if (this.#closed) throw new TransportUnreachable();
    const subscribers = [...this.#subscriptions].filter(({ subjects }) =>
      subjects.some((pattern) => subjectMatches(pattern, message.destination)),
    );
    if (subscribers.length === 0) return;
    const answer = await Promise.allSettled(
      subscribers.map((subscriber) => this.#deliver(subscriber, message)),
    );
    const refusal = answer.find(({ status }) => status === 'rejected');
    if (refusal?.status === 'rejected') throw refusal.reason;
  }

  ping(): Promise<void> {
    return this.#closed ? Promise.reject(new TransportUnreachable()) : Promise.resolve();
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#subscriptions.clear();
    return Promise.resolve();
  }

  async #deliver(subscriber: SubscriptionRequest, message: OutboundMessage): Promise<void> {
    const headers = outboundHeaders(message);
    const body = encodeEnvelope(message.envelope);
    for (let delivery = 1; this.#subscriptions.has(subscriber); delivery++) {
      const inbound: InboundMessage = {
        subject: message.destination,
        body,
        header: (name) => headers[name],
        delivery,
        unanswered: 0,
      };
      const [answer] = await subscriber.handle([inbound]);
      if (answer === undefined || answer === 'done') return;
      await delay(answer.redeliverInMs);
    }
  }
}
