import { setTimeout as delay } from 'node:timers/promises';
import { keyed, post } from '../../endpoints/testing/http-client.js';
import { newUuid } from '../../contracts/uuid.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { durationOf, until } from '../../runtime/kit/until.js';
import { anOrder, orderIdIn } from './order-load.js';

export interface OrderLedger {
  /** The orders that each client was promised, in its order. */
  readonly promised: readonly string[][];
  /** The longest time from a request until its command was answered with 200, as `until` counts it. */
  readonly longestMs: number;
  /** Waits until so many more are promised. */
  grows(by: number): Promise<void>;
  /** Ends it once every command is answered. */
  stop(): Promise<void>;
}

/** Clients that never pause leave no processor to the servers that replicate. */
const pauseMs = 50;

/** Clients that create one order after another, and insist with the same key until each is answered. */
export function startLedger(url: string, clients: number): OrderLedger {
  const promised: string[][] = Array.from({ length: clients }, () => []);
  let longestMs = 0;
  const stopping = new AbortController();
  const insist = async (): Promise<string> => {
    const asked = { path: '/orders', ...keyed(newUuid()) };
    for (; ; await delay(10)) {
      const answer = await post(url, anOrder, asked).catch(() => undefined);
      if (answer?.status === 200) return orderIdIn(answer);
    }
  };
  const create = async (): Promise<string> => {
    const answered = insist();
    longestMs = Math.max(longestMs, await durationOf(answered));
    return answered;
  };
  const client = async (orders: string[]): Promise<void> => {
    for (; !stopping.signal.aborted; await delay(pauseMs)) orders.push(await create());
  };
  const done = Promise.all(promised.map(client));
  const count = (): number => promised.reduce((sum, orders) => sum + orders.length, 0);
  return {
    promised,
    get longestMs() {
      return longestMs;
    },
    grows: async (by) => {
      const from = count();
      await until(() => count() >= from + by);
    },
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/** What is wrong with what a store has of the ledger: each promise once, in the order of its client, with its audit. */
export async function faultsIn({ promised }: Pick<OrderLedger, 'promised'>, url: string) {
  const stored = await rowsOf(
    url,
    "SELECT stream_id FROM svc_events WHERE event_type = 'OrderCreated' ORDER BY global_position",
  );
  const [[audited] = []] = await rowsOf(
    url,
    "SELECT count(*) FROM svc_system_stream WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'CreateOrder'",
  );
  const orders = stored.map(([id = '']) => id);
  return { ...compared(promised, orders), unaudited: orders.length - Number(audited) };
}

export function compared(promised: readonly (readonly string[])[], stored: readonly string[]) {
  const places = new Map(stored.map((id, place) => [id, place]));
  const known = new Set(promised.flat());
  const isAfter = (id: string, before: string | undefined): boolean =>
    before === undefined || (places.get(before) ?? -1) < (places.get(id) ?? Number.POSITIVE_INFINITY);
  return {
    lost: [...known].filter((id) => !places.has(id)),
    // One that no client knows was created twice for one key.
    doubled: stored.filter((id, place) => !known.has(id) || places.get(id) !== place),
    outOfOrder: promised.flatMap((orders) => orders.filter((id, at) => !isAfter(id, orders[at - 1]))),
  };
}

export const nothingWrong = { lost: [], doubled: [], outOfOrder: [], unaudited: 0 };
