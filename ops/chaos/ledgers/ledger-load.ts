import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { newUuid } from '../../../contracts/uuid.js';
import { post } from '../../../endpoints/testing/http-client.js';
import { randomFrom } from '../harness/seeded-random.js';
import { promised } from './ledger-check.js';
import { paymentTimeoutMs } from './payment-process.js';

/** How much happens in a run. */
export interface LedgerSizes {
  readonly events: number;
  readonly timers: number;
  readonly processes: number;
  /** How often a client takes a seat, and leaves it again. */
  readonly seats: number;
}

type Work = () => Promise<void>;

const clientCount = 24;
const accountCount = 48;
const perRequest = 10;
const seatCount = 4;
const giveUpAfterMs = 90_000;
const attemptMs = 10_000;
const longestTimerMs = 3_000;

/** Clients of several hosts that repeat a command with the same key, at any of them, until it is answered. */
export class LedgerLoad {
  /** What clients were promised. */
  readonly acknowledged: string[] = [];
  readonly counts = { commands: 0, answered: 0, refused: 0, attempts: 0 };
  readonly others = new Map<string, number>();
  readonly #random: () => number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #accounts = Array.from({ length: accountCount }, () => ({ id: newUuid(), next: 0 }));
  readonly #seats = Array.from({ length: seatCount }, () => newUuid());

  constructor(
    private readonly urls: readonly string[],
    seed: number,
  ) {
    this.#random = randomFrom(seed);
  }

  /** Resolves when everything is answered or given up. */
  async run(sizes: LedgerSizes): Promise<void> {
    const work = this.#shuffled([
      ...this.#times(sizes.timers / perRequest, () => this.#remind()),
      ...this.#times(sizes.processes, () => this.#order()),
      ...this.#times(sizes.seats, () => this.#sit()),
    ]);
    const counting = this.#counting(sizes.events);
    const client = async (own: Work | undefined): Promise<void> => {
      await own?.();
      for (let next = work.pop(); next !== undefined; next = work.pop()) await next();
    };
    await Promise.all([
      ...counting.map((own) => client(own)),
      ...this.#times(clientCount, () => client(undefined)).map((start) => start()),
    ]);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Each account belongs to one client, so that its numbers are sent in order. */
  #counting(events: number): Work[] {
    const requests = Math.ceil(events / perRequest);
    return this.#accounts.map((account, index) => async () => {
      for (let n = index; n < requests; n += accountCount) {
        const first = account.next;
        account.next += perRequest;
        const answer = await this.#ask('/count', { account: account.id, first, count: perRequest });
        if (answer === 'done')
          for (let at = first; at < first + perRequest; at++)
            this.acknowledged.push(promised('Counted', account.id, at));
      }
    });
  }

  /** Every tenth reminder is cancelled at about the time at which it is due. */
  async #remind(): Promise<void> {
    const reminders = Array.from({ length: perRequest }, () => ({
      id: newUuid(),
      inMs: Math.floor(this.#random() * longestTimerMs),
    }));
    if ((await this.#ask('/remind', { reminders })) !== 'done') return;
    for (const { id } of reminders) this.acknowledged.push(promised('ReminderSet', id));
    const [{ id, inMs } = { id: '', inMs: 0 }] = reminders;
    await delay(inMs + this.#random() * 20);
    if ((await this.#ask('/forget', { id })) === 'done')
      this.acknowledged.push(promised('ReminderCancelled', id));
  }

  /** Two of three orders are paid, some of them when they expire. */
  async #order(): Promise<void> {
    const orderId = newUuid();
    if ((await this.#ask('/order', { orderId })) !== 'done') return;
    this.acknowledged.push(promised('Ordered', orderId));
    if (this.#random() < 1 / 3) return;
    await delay(paymentTimeoutMs * this.#random() * 1.2);
    if ((await this.#ask('/pay', { orderId })) === 'done') this.acknowledged.push(promised('Paid', orderId));
  }

  async #sit(): Promise<void> {
    const seat = this.#seats[Math.floor(this.#random() * seatCount)] ?? '';
    const owner = newUuid();
    if ((await this.#ask('/take', { seat, owner })) !== 'done') return;
    this.acknowledged.push(promised('Taken', seat, owner));
    if ((await this.#ask('/leave', { seat, owner })) === 'done')
      this.acknowledged.push(promised('Left', seat, owner));
  }

  async #ask(path: string, body: object): Promise<'done' | 'refused' | 'unanswered'> {
    const key = newUuid();
    this.counts.commands++;
    for (const deadline = Date.now() + giveUpAfterMs; Date.now() < deadline;) {
      const outcome = await this.#attempt(path, body, key);
      if (outcome === 'done') this.counts.answered++;
      if (outcome === 'refused') this.counts.refused++;
      if (outcome !== undefined) return outcome;
      await delay(10 + this.#random() * 90);
    }
    return 'unanswered';
  }

  async #attempt(path: string, body: object, key: string): Promise<'done' | 'refused' | undefined> {
    const url = this.urls[Math.floor(this.#random() * this.urls.length)] ?? '';
    const headers = { 'idempotency-key': key };
    this.counts.attempts++;
    try {
      const signal = AbortSignal.timeout(attemptMs);
      const { status, text } = await post(url, body, { path, headers, agent: this.#agent, signal });
      if (status === 200 || status === 204) return 'done';
      if (status === 409 && text.includes('already-reserved')) return 'refused';
      this.#note(String(status));
    } catch (error) {
      this.#note((error as NodeJS.ErrnoException).code ?? String(error));
    }
    return undefined;
  }

  #note(what: string): void {
    this.others.set(what, (this.others.get(what) ?? 0) + 1);
  }

  #times<T>(count: number, task: () => T): (() => T)[] {
    return Array.from({ length: Math.ceil(count) }, () => task);
  }

  #shuffled<T>(items: T[]): T[] {
    for (let at = items.length - 1; at > 0; at--) {
      const other = Math.floor(this.#random() * (at + 1));
      [items[at], items[other]] = [items[other] as T, items[at] as T];
    }
    return items;
  }
}
