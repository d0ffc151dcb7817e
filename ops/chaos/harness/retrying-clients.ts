import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answered, jsonOf, post } from '../../../endpoints/testing/http-client.js';
import { anOrder } from '../../testing/order-load.js';
import type { SentCommand } from './consistency-check.js';
import { randomFrom } from './seeded-random.js';

interface ClientRequest extends Omit<SentCommand, 'acknowledged'> {
  readonly path: string;
  readonly body: object;
}

const defaultGiveUpAfterMs = 90_000;

/** Clients that retry with the same key until their command is answered. */
export class RetryingClients {
  readonly sent: SentCommand[] = [];
  /** The number of each other answer. */
  readonly others = new Map<string, number>();
  acknowledged = 0;
  attempts = 0;
  /** The longest time between two acknowledgements, of whichever clients. */
  longestGapMs = 0;
  #lastAt: number | undefined;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #waiting = new Map<() => boolean, () => void>();
  readonly #done: Promise<unknown>;
  #stopping = false;

  constructor(
    private readonly url: string,
    seed: number,
    count: number,
    private readonly giveUpAfterMs = defaultGiveUpAfterMs,
  ) {
    this.#done = Promise.all(Array.from({ length: count }, (_, n) => this.#client(n, seed)));
  }

  /** Resolves when this many more commands are acknowledged. */
  waitForMore(count: number): Promise<void> {
    const goal = this.acknowledged + count;
    return new Promise((resolve) => this.#waiting.set(() => this.acknowledged >= goal, resolve));
  }

  /** Lets every client finish its current command. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#done;
    this.#agent.destroy();
  }

  async #client(n: number, seed: number): Promise<void> {
    const random = randomFrom(seed * 1000 + n);
    let orderId: string | undefined;
    for (let round = 0; !this.#stopping; round++) {
      const request = nextRequest(`chaos-${seed}-${n}-${round}`, orderId, random());
      const answer = await this.#retry(request, random);
      const acknowledged = answer !== undefined;
      const own = (answer as { orderId?: string } | undefined)?.orderId ?? request.orderId;
      this.sent.push({ ...request, orderId: own, acknowledged });
      if (acknowledged) this.#acknowledge();
      // A cancelled or shipped order accepts no further commands.
      const isOpen = request.command === 'CreateOrder' || request.recovered === true;
      orderId = isOpen ? (own ?? orderId) : undefined;
      for (const [isSo, resolve] of this.#waiting) if (isSo() && this.#waiting.delete(isSo)) resolve();
    }
  }

  #acknowledge(): void {
    const now = performance.now();
    this.acknowledged++;
    this.longestGapMs = Math.max(this.longestGapMs, now - (this.#lastAt ?? now));
    this.#lastAt = now;
  }

  async #retry(request: ClientRequest, random: () => number): Promise<unknown> {
    for (const deadline = Date.now() + this.giveUpAfterMs; Date.now() < deadline;) {
      const answer = await this.#attempt(request);
      if (answer?.status === 200) return jsonOf(answer);
      if (answer !== undefined && answer.status < 500 && answer.status !== 409) return undefined;
      await delay(10 + random() * 90);
    }
    return undefined;
  }

  async #attempt({ correlationId, path, body }: ClientRequest): Promise<Answered | undefined> {
    const headers = { 'idempotency-key': correlationId, 'x-correlation-id': correlationId };
    this.attempts++;
    try {
      const answer = await post(this.url, body, { path, headers, agent: this.#agent });
      if (answer.status !== 200) this.#note(String(answer.status));
      return answer;
    } catch (error) {
      this.#note((error as NodeJS.ErrnoException).code ?? String(error));
      return undefined;
    }
  }

  #note(what: string): void {
    this.others.set(what, (this.others.get(what) ?? 0) + 1);
  }
}

/** Mostly new orders; now and then the last one is shipped, cancelled, or given to a carrier that is down. */
function nextRequest(correlationId: string, orderId: string | undefined, dice: number): ClientRequest {
  const create: ClientRequest = { correlationId, command: 'CreateOrder', path: '/orders', body: anOrder };
  if (orderId === undefined || dice < 0.6) return create;
  if (dice < 0.75) {
    return { ...create, command: 'CancelOrder', path: '/orders/cancel', body: { orderId }, orderId };
  }
  const down = dice < 0.85;
  const body = { orderId, carrier: down ? 'down' : 'DHL' };
  const ship: ClientRequest = { ...create, command: 'ShipOrder', path: '/orders/ship', body, orderId };
  return down ? { ...ship, recovered: true } : ship;
}
