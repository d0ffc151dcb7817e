import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { post } from '../../endpoints/testing/http-client.js';
import { until } from '../../runtime/kit/until.js';
import type { Order, Trouble } from './followed-shop.js';

interface Placing {
  readonly trouble?: Trouble;
  readonly clients?: number;
}

const attemptMs = 3_000;
const pauseMs = 100;
const passing = [409, 429, 500, 503, 504];

/** Larger than what the broker takes while it refuses poison. */
const poison = 'x'.repeat(32_000);

/** Clients that repeat an order with the same key, at any host, until it is answered. */
export class OrderClients {
  /** What is answered. */
  readonly placed: Order[] = [];
  /** Where hosts listen. */
  readonly urls = new Set<string>();
  readonly #customers = Array.from({ length: 8 }, newUuid);
  readonly #slowCustomer = newUuid();
  #next = 0;
  #isOver = false;

  /** Resolves when all are answered. */
  async place(count: number, { trouble = 'none', clients = 8 }: Placing = {}): Promise<void> {
    let left = count;
    const client = async (): Promise<void> => {
      while (left-- > 0 && !this.#isOver) await this.#placeOne(trouble);
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  /** Places orders until it is ended. */
  begin(clients = 6): { end(): Promise<void> } {
    const ending = new AbortController();
    const client = async (): Promise<void> => {
      for (; !ending.signal.aborted && !this.#isOver; await delay(pauseMs / 2)) await this.#placeOne('none');
    };
    const running = Promise.all(Array.from({ length: clients }, client));
    const end = async (): Promise<void> => {
      ending.abort();
      await running;
    };
    return { end };
  }

  /** Resolves when so many more are answered. */
  async answered(count: number): Promise<void> {
    const from = this.placed.length;
    await until(() => this.placed.length >= from + count);
  }

  /** What is not answered is given up. */
  stop(): void {
    this.#isOver = true;
  }

  async #placeOne(trouble: Trouble): Promise<void> {
    const order: Order = { orderId: newUuid(), customerId: this.#customerOf(trouble), trouble };
    await until(async () => this.#isOver || (await this.#isAnswered(order)));
    this.placed.push(order);
  }

  /** Only one order of a customer is poisoned, so that none waits behind another. */
  #customerOf(trouble: Trouble): Uuid {
    if (trouble === 'poison') return newUuid();
    return trouble === 'slow'
      ? this.#slowCustomer
      : (this.#customers[this.#next++ % this.#customers.length] ?? '');
  }

  async #isAnswered(order: Order): Promise<boolean> {
    const url = [...this.urls][Math.floor(Math.random() * this.urls.size)];
    if (url !== undefined) {
      const text = order.trouble === 'poison' ? poison : '';
      const headers = { 'idempotency-key': order.orderId };
      const asked = { path: '/orders', headers, signal: AbortSignal.timeout(attemptMs) };
      const answer = await post(url, { ...order, text }, asked).catch(() => undefined);
      if (answer !== undefined && answer.status < 300) return true;
      if (answer !== undefined) assert.ok(passing.includes(answer.status), `${answer.status} ${answer.text}`);
    }
    await delay(pauseMs);
    return false;
  }
}
