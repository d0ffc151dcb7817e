import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Uuid } from '../../../contracts/scalars.js';
import { newUuid } from '../../../contracts/uuid.js';
import { jsonOf, post } from '../../../endpoints/testing/http-client.js';
import { randomFrom } from '../harness/seeded-random.js';
import type { Operation, Transaction, TransactionEnd } from './history.js';

const clientCount = 12;
/** Few lists at a time, so that transactions meet; short ones, so that each is read whole. */
const listsAtATime = 5;
const valuesPerList = 48;
const giveUpAfterMs = 20_000;
const attemptMs = 5_000;

/** Clients of several hosts that record what they sent and what they were answered. */
export class HistoryClients {
  readonly transactions: Transaction[] = [];
  readonly lists: Uuid[] = [];
  acknowledged = 0;
  attempts = 0;
  /** Transactions that were refused because of others although they had read nothing. */
  refusedBlind = 0;
  #moment = 0;
  #processes = 0;
  readonly #next: number[] = [];
  readonly #active = Array.from({ length: listsAtATime }, () => this.#newList());
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    private readonly urls: readonly string[],
    private readonly seed: number,
  ) {}

  /** Resolves when this many more transactions have ended. */
  async run(count: number): Promise<void> {
    const end = this.transactions.length + count;
    await Promise.all(
      Array.from({ length: clientCount }, async () => {
        // A client that got no answer is not asked again: what it sent may still happen.
        let process = this.#processes++;
        const random = randomFrom(this.seed * 1_000_003 + process);
        while (this.transactions.length < end) {
          const ended = await this.#transact(process, random);
          if (ended === 'info') process = this.#processes++;
        }
      }),
    );
  }

  close(): void {
    this.#agent.destroy();
  }

  async #transact(process: number, random: () => number): Promise<TransactionEnd> {
    const operations = Array.from({ length: 1 + Math.floor(random() * 4) }, () => this.#operation(random));
    const invoked = this.#moment++;
    const { end, lists = [] } = await this.#answerTo(operations, random);
    const ended = this.#moment++;
    let read = 0;
    const seen = operations.map((operation): Operation =>
      operation.f === 'append' ? operation : { ...operation, list: lists[read++] },
    );
    this.transactions.push({ process, invoked, ended, end, operations: seen });
    if (end === 'ok') this.acknowledged++;
    if (end === 'fail' && operations.every(({ f }) => f === 'append')) this.refusedBlind++;
    return end;
  }

  #operation(random: () => number): Operation {
    const at = Math.floor(random() * listsAtATime);
    const key = this.#active[at] ?? 0;
    if (random() < 0.5) return { f: 'r', key };
    const value = (this.#next[key] = (this.#next[key] ?? 0) + 1);
    if (value === valuesPerList) this.#active[at] = this.#newList();
    return { f: 'append', key, value };
  }

  #newList(): number {
    this.#next.push(0);
    return this.lists.push(newUuid()) - 1;
  }

  async #answerTo(operations: readonly Operation[], random: () => number) {
    const steps = operations.map((operation) => ({
      list: this.lists[operation.key],
      ...(operation.f === 'append' ? { value: operation.value } : {}),
    }));
    const headers = { 'idempotency-key': newUuid() };
    let isFirst = true;
    for (
      const deadline = Date.now() + giveUpAfterMs;
      Date.now() < deadline;
      await delay(10 + random() * 90), isFirst = false
    ) {
      const url = this.urls[Math.floor(random() * this.urls.length)] ?? '';
      this.attempts++;
      try {
        const signal = AbortSignal.timeout(attemptMs);
        const answer = await post(url, { steps }, { path: '/transact', headers, agent: this.#agent, signal });
        if (answer.status === 200) return { end: 'ok', lists: jsonOf(answer) as number[][] } as const;
        // An earlier attempt that got no answer may still be stored.
        if (isFirst && answer.status === 409 && answer.text.includes('stream-conflict'))
          return { end: 'fail' } as const;
      } catch {
        // A host that is gone answers nothing; the next attempt may meet another.
      }
    }
    return { end: 'info' } as const;
  }
}
