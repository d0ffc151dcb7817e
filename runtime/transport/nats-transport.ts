import type { NatsConnection } from 'nats';
import {
  type LastSender,
  type OutboundMessage,
  type Subscription,
  type SubscriptionRequest,
  type Transport,
  TransportUnreachable,
} from '../../contracts/transport.js';
import { NatsLink, type NatsOptions } from './nats-link.js';
import { NatsSubscription } from './nats-subscription.js';
import type { NatsNames } from './nats-names.js';
import { managerOf, whenFound } from './nats-streams.js';

/** Sends messages through JetStream; connects in the background and retries forever. */
class NatsTransport implements Transport {
  readonly keepsOrder = true;
  readonly #link: NatsLink;
  readonly #subscriptions = new Set<NatsSubscription>();

  constructor(options: NatsOptions) {
    this.#link = new NatsLink(options);
  }

  publish(message: OutboundMessage): Promise<void> {
    return this.#link.session?.publish(message) ?? Promise.reject(new TransportUnreachable());
  }

  subscribe(request: SubscriptionRequest): Subscription {
    const subscription = new NatsSubscription(this.#link, request);
    this.#subscriptions.add(subscription);
    return subscription;
  }

  ping(): Promise<void> {
    return this.#link.session?.ping() ?? Promise.reject(new TransportUnreachable());
  }

  async lastSender(destination: string): Promise<LastSender | undefined> {
    const { session, names } = this.#link;
    if (session === undefined) throw new TransportUnreachable();
    return lastSender(session.connection, names, destination);
  }

  get faults(): readonly string[] {
    return (this.#link.session?.streams ?? []).flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
    // Wait for the last acknowledgements to be sent.
    await this.ping().catch(() => undefined);
    await this.#link.close();
  }
}

export const natsTransport = (options: NatsOptions): Transport => new NatsTransport(options);

/** Reads the newest message to a destination. */
async function lastSender(
  connection: NatsConnection,
  names: NatsNames,
  destination: string,
): Promise<LastSender | undefined> {
  const { streams } = await managerOf(connection);
  const stream = names.streamFor(destination);
  if (stream === undefined) return undefined;
  const found = await whenFound(streams.getMessage(stream, { last_by_subj: names.subjectOf(destination) }));
  if (found === undefined) return undefined;
  const { header, time } = found;
  const valueOf = (name: string): string | undefined => (header.has(name) ? header.get(name) : undefined);
  return {
    service: valueOf('svc-service'),
    store: valueOf('svc-store') ?? '',
    ageMs: Date.now() - time.getTime(),
  };
}
