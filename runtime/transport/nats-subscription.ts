import { setTimeout as delay } from 'node:timers/promises';
import type { Subscription, SubscriptionRequest } from '../../contracts/transport.js';
import { log } from '../logging/log.js';
import { NatsBatchSettler } from './nats-batch-settler.js';
import { ackWaitMs, consumerOf, ensureConsumer } from './nats-consumer.js';
import type { NatsLink } from './nats-link.js';
import { NatsLossDetector } from './nats-loss-detector.js';
import { pullBatch } from './nats-pull.js';
import type { NatsSession } from './nats-publishing-session.js';
import { ensureStreamOf } from './nats-streams.js';

const settleMs = 100;
const resubscribeMs = 300;
/** How often losses at the broker are checked. */
const checkEveryMs = 10_000;

/** Pulls batch after batch; resumes after every failure until it is stopped. */
export class NatsSubscription implements Subscription {
  readonly #stopping = new AbortController();
  readonly #consumer;
  readonly #running: Promise<void>;
  readonly #losses: NatsLossDetector;
  #session: NatsSession | undefined;
  #isReported = false;

  constructor(
    private readonly link: NatsLink,
    private readonly request: SubscriptionRequest,
  ) {
    this.#losses = new NatsLossDetector(request);
    this.#consumer = consumerOf(request, link.names);
    this.#running = this.#run();
  }

  get name(): string {
    return this.request.name;
  }

  get isUp(): boolean {
    return this.#session?.isOver === false;
  }

  get losses(): NatsLossDetector {
    return this.#losses;
  }

  /** Waits for the current batch; the rest of it goes to the next subscriber. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#consume(signal).catch((error: unknown) => this.#reportFailure(error));
      this.#session = undefined;
      const pause = resubscribeMs * (0.5 + Math.random());
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async #consume(signal: AbortSignal): Promise<void> {
    const session = await this.link.next(signal);
    const { connection } = session;
    await ensureStreamOf(connection, this.#consumer.stream, this.link.names);
    const check = async () => {
      const consumer = await ensureConsumer(connection, this.#consumer);
      await this.#losses.check(connection, consumer);
      return consumer;
    };
    const hasUnacknowledged = async () => (await check()).num_ack_pending > 0;
    const mustWait = await hasUnacknowledged();
    this.#session = session;
    this.#isReported = false;
    if (mustWait) await waitForRedelivery(hasUnacknowledged, signal);
    const { stream, durable } = this.#consumer;
    for (let checkedAt = performance.now(); !signal.aborted && !session.isOver;) {
      if (performance.now() - checkedAt > checkEveryMs) {
        await check();
        checkedAt = performance.now();
      }
      const withinMs = this.request.leaseRemainingMs?.() ?? Infinity;
      if (withinMs <= 0) {
        await delay(settleMs, undefined, { signal });
        continue;
      }
      const batch = await pullBatch(connection, { stream, durable, withinMs }, signal);
      this.#losses.took(batch);
      if (batch.length > 0) await new NatsBatchSettler(this.link, this.request, signal).settle(batch);
    }
  }

  #reportFailure(error: unknown): void {
    if (this.#isReported || this.#stopping.signal.aborted || this.link.session === undefined) return;
    this.#isReported = true;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ subscription: this.name, reason }, 'a subscription failed and is retried');
  }
}

/**
 * Unacknowledged messages are redelivered after a while; until then everything after them waits. Looking again would not
 * help: the broker counts them until they are acknowledged. Who had them before signals no progress after its lease.
 */
async function waitForRedelivery(
  hasUnacknowledged: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  await delay(settleMs, undefined, { signal });
  if (await hasUnacknowledged()) await delay(ackWaitMs + 500, undefined, { signal });
}
