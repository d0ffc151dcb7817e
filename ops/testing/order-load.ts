import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answered, jsonOf, keyed, post } from '../../endpoints/testing/http-client.js';

export const anOrder = {
  customerId: '018f0000-0000-7000-8000-000000000001',
  lineItems: [{ productId: 'bread', quantity: 2, unitPrice: '3.10' }],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
};

export const createOrder = (url: string, key?: string): Promise<Answered> =>
  post(url, anOrder, { path: '/orders', ...(key === undefined ? {} : keyed(key)) });

export const orderIdIn = (answer: Answered): string => (jsonOf(answer) as { orderId: string }).orderId;

/** The outcomes of the clients' orders. */
export interface Load {
  /** Order ids by key. */
  readonly acknowledged: Map<string, string>;
  /** Keys without an answer, or with one other than 200. */
  readonly unanswered: Set<string>;
  /** The number of each other answer. */
  readonly others: Map<string, number>;
  /** Ends it after the requests in flight. */
  stop(): Promise<void>;
  /** Resolves when all clients have ended. */
  readonly done: Promise<void>;
  /** Waits until this many orders are acknowledged. */
  reached(count: number): Promise<void>;
  /** Waits until another answer has been received this often. */
  refused(what: string, count: number): Promise<void>;
}

interface LoadOptions {
  readonly url: string;
  readonly clients: number;
  /** Whether a client continues after a request failed with this error code. */
  readonly continues?: (errorCode: string) => boolean;
  /** A refused client waits a little before it retries: clients that never wait leave no time for the host itself. */
  readonly backOffMs?: number;
  /** A client waits after each answer: clients that never wait leave no processor to hosts that start meanwhile. */
  readonly pauseMs?: number;
}

let loads = 0;

/** Timers come first in a turn: a client that got no processor reads whether its connection was closed before it sends. */
async function pause(ms: number): Promise<void> {
  await delay(ms);
  for (let turns = 3; turns > 0; turns--) await new Promise(setImmediate);
}

/** Clients that create one order after another, each with its own key. */
export function startLoad(options: LoadOptions): Load {
  const { url, clients, pauseMs, continues = () => false, backOffMs = 25 } = options;
  const acknowledged = new Map<string, string>();
  const unanswered = new Set<string>();
  const others = new Map<string, number>();
  const waiting = new Map<() => boolean, () => void>();
  const agent = new Agent({ keepAlive: true });
  const name = `load-${++loads}`;
  const stopping = new AbortController();
  const failed = async (key: string, what: string): Promise<void> => {
    unanswered.add(key);
    others.set(what, (others.get(what) ?? 0) + 1);
    await delay(backOffMs);
  };
  const attempt = async (key: string): Promise<boolean> => {
    try {
      const answer = await post(url, anOrder, { path: '/orders', ...keyed(key), agent });
      if (answer.status === 200) acknowledged.set(key, orderIdIn(answer));
      else await failed(key, String(answer.status));
      return true;
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      await failed(key, code);
      return continues(code);
    }
  };
  const client = async (n: number): Promise<void> => {
    for (let attemptNumber = 0; !stopping.signal.aborted; attemptNumber++) {
      if (!(await attempt(`${name}-${n}-${attemptNumber}`))) return;
      for (const [isSo, resolve] of waiting) if (isSo()) resolve();
      if (pauseMs !== undefined) await pause(pauseMs);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, (_, n) => client(n))).then(() => agent.destroy());
  const until = async (isSo: () => boolean): Promise<void> => {
    await Promise.race([new Promise<void>((resolve) => waiting.set(isSo, resolve)), done]);
    assert.ok(isSo(), `all clients have ended: ${JSON.stringify([...others])}`);
  };
  return {
    acknowledged,
    unanswered,
    others,
    done,
    stop: () => (stopping.abort(), done),
    reached: (count) => until(() => acknowledged.size >= count),
    refused: (what, count) => until(() => (others.get(what) ?? 0) >= count),
  };
}
