import { setTimeout as delay } from 'node:timers/promises';
import type { Subscription, SubscriptionRequest } from '../../contracts/transport.js';
import { log } from '../log.js';
import { NatsBatch } from './nats-batch.js';
import { ackWaitMs, consumerOf, ensureConsumer } from './nats-consumer.js';
import type { NatsLink } from './nats-link.js';
import { NatsLosses } from './nats-losses.js';
import { pullBatch } from './nats-pull.js';
import type { NatsSession } from './nats-session.js';
import { ensureStreams } from './nats-streams.js';

const settleMs = 100;
const comeBackMs = 300;
/** How often it is asked whether the broker has lost something. */
const lookMs = 10_000;

/** Pulls batch after batch; comes back after every failure until it is stopped. */
export class NatsSubscription implements Subscription {
  readonly #stopping = new AbortController();
  readonly #consumer;
  readonly #running: Promise<void>;
  readonly #losses = new NatsLosses();
  #session: NatsSession | undefined;
  #told = false;

  constructor(
    private readonly link: NatsLink,
    private readonly request: SubscriptionRequest,
  ) {
    this.#consumer = consumerOf(request);
    this.#running = this.#run();
  }

  get name(): string {
    return this.request.name;
  }

  get isUp(): boolean {
    return this.#session?.isOver === false;
  }

  get losses(): NatsLosses {
    return this.#losses;
  }

  /** Waits for the batch that is being taken; the rest of it goes to whoever comes next. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#follow(signal).catch((error: unknown) => this.#tell(error));
      this.#session = undefined;
      const pause = comeBackMs * (0.5 + Math.random());
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const session = await this.link.next(signal);
    const { connection } = session;
    await ensureStreams(connection);
    const look = async () => {
      const consumer = await ensureConsumer(connection, this.#consumer);
      await this.#losses.look(connection, consumer);
      return consumer;
    };
    const unanswered = async () => (await look()).num_ack_pending > 0;
    const mustWait = await unanswered();
    this.#session = session;
    this.#told = false;
    if (mustWait) await waitForOthers(unanswered, signal);
    const { stream, durable } = this.#consumer;
    for (let lookedAt = performance.now(); !signal.aborted && !session.isOver;) {
      if (performance.now() - lookedAt > lookMs) {
        await look();
        lookedAt = performance.now();
      }
      if (this.request.mayTake?.() === false) {
        await delay(settleMs, undefined, { signal });
        continue;
      }
      const batch = await pullBatch(connection, stream, durable, signal);
      this.#losses.took(batch);
      if (batch.length > 0) await new NatsBatch(this.link, this.request, signal).settle(batch);
    }
  }

  #tell(error: unknown): void {
    if (this.#told || this.#stopping.signal.aborted || this.link.session === undefined) return;
    this.#told = true;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ subscription: this.name, reason }, 'a subscription failed and comes back');
  }
}

/** What somebody took and never answered comes again after a while; until then everything behind it waits. */
async function waitForOthers(unanswered: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  await delay(settleMs, undefined, { signal });
  if (await unanswered()) await delay(ackWaitMs + 500, undefined, { signal });
}
