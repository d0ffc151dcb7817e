import { type OutboundMessage, type Transport, TransportUnreachable } from '../../contracts/transport.js';
import { subjectMatches } from './subjects.js';

export type Subscriber = (message: OutboundMessage) => void | Promise<void>;

/** Carries messages to subscribers in the same process; a message is delivered when all of them have taken it. */
export class InProcessTransport implements Transport {
  readonly #subscriptions = new Set<{ readonly pattern: string; readonly subscriber: Subscriber }>();
  #closed = false;

  get isHeard(): boolean {
    return this.#closed || this.#subscriptions.size > 0;
  }

  /** The function returned ends the subscription. */
  subscribe(pattern: string, subscriber: Subscriber): () => void {
    const subscription = { pattern, subscriber };
    this.#subscriptions.add(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
    };
  }

  /** One subscriber that throws refuses the message, for all of them to get it again. */
  async publish(message: OutboundMessage): Promise<void> {
    if (this.#closed) throw new TransportUnreachable();
    const takers = [...this.#subscriptions].filter(({ pattern }) =>
      subjectMatches(pattern, message.destination),
    );
    const taken = await Promise.allSettled(takers.map(async ({ subscriber }) => subscriber(message)));
    const refusal = taken.find(({ status }) => status === 'rejected');
    if (refusal?.status === 'rejected') throw refusal.reason;
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#subscriptions.clear();
    return Promise.resolve();
  }
}
