import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { post } from '../../../endpoints/testing/http-client.js';
import type { Figures } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import type { RunningSystem } from './system.js';

const clients = 16;
const retryMs = 20;
/** A request that nobody answers is sent again. */
const giveUpMs = 10_000;
/** Under load, between the first answer after a crash and the next crash. */
const betweenMs = { least: 200, most: 700 };

/** Ends all processes again and again while clients send commands; each repeats a key until it is answered. */
export async function crashes(system: RunningSystem, kills: number, signal: AbortSignal): Promise<Figures> {
  const load = new Clients(system);
  const resumed: number[] = [];
  try {
    await load.untilAnswered(performance.now());
    for (let kill = 0; kill < kills && !signal.aborted; kill++) {
      await delay(betweenMs.least + Math.random() * (betweenMs.most - betweenMs.least));
      const at = performance.now();
      await system.crash();
      resumed.push((await load.untilAnswered(at)) - at);
    }
  } finally {
    await load.stop();
  }
  signal.throwIfAborted();
  return {
    'resume ms': quantile(resumed, 0.5),
    'longest ms': Math.max(...resumed),
    ...(await load.findings()),
  };
}

/** What became of the orders that were acknowledged, and of those placed more than once. */
export function compareWithStored(acknowledged: readonly string[], placed: ReadonlyMap<string, number>) {
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((key) => !placed.has(key)).length,
    doubled: [...placed.values()].filter((times) => times > 1).length,
  };
}

class Clients {
  readonly #acknowledged: string[] = [];
  readonly #waiting = new Set<{ readonly from: number; readonly resolve: (at: number) => void }>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #done: Promise<unknown>;
  #stopping = false;

  constructor(private readonly system: RunningSystem) {
    this.#done = Promise.all(Array.from({ length: clients }, () => this.#client()));
  }

  /** When a request was answered that was sent after this time. */
  untilAnswered(from: number): Promise<number> {
    return new Promise((resolve) => this.#waiting.add({ from, resolve }));
  }

  /** Every client finishes its current command. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#done;
    this.#agent.destroy();
  }

  async findings(): Promise<Figures> {
    return compareWithStored(this.#acknowledged, await this.system.placed());
  }

  async #client(): Promise<void> {
    while (!this.#stopping) {
      const key = randomUUID();
      while (!(await this.#isAnswered(key))) await delay(retryMs);
      this.#acknowledged.push(key);
    }
  }

  async #isAnswered(key: string): Promise<boolean> {
    const { url, requests } = this.system;
    const path = requests.command.path.replace('{key}', key);
    const body = JSON.parse(requests.command.body.replaceAll('{key}', key)) as unknown;
    const asked = performance.now();
    const signal = AbortSignal.timeout(giveUpMs);
    const sending = post(url, body, {
      path,
      headers: { 'idempotency-key': key },
      agent: this.#agent,
      signal,
    });
    const answer = await sending.catch(() => undefined);
    if (answer?.status !== 200) return false;
    const now = performance.now();
    for (const one of this.#waiting) if (asked >= one.from && this.#waiting.delete(one)) one.resolve(now);
    return true;
  }
}
