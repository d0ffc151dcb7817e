import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withHost } from './probed-host.js';

interface Idleness {
  /** The most transactions in each second of a window. */
  readonly most: number;
  /** One of these windows must be quiet: a start has more to do, and chance counts less in a longer window. */
  readonly windowsMs: readonly number[];
  readonly definition?: ServiceDefinition | undefined;
}

/** Expects that a host without requests asks its database seldom. */
export const mustBeIdle = ({ most, windowsMs, definition }: Idleness): Promise<void> =>
  withStore((direct) =>
    withCountedTransactions(direct, (url, transactions) =>
      withHost(
        url,
        async () => {
          const rates: number[] = [];
          for (const windowMs of windowsMs) {
            const [before, from] = [transactions(), performance.now()];
            await delay(windowMs);
            const rate = ((transactions() - before) * 1000) / (performance.now() - from);
            if (rate <= most) return;
            rates.push(rate);
          }
          assert.unreachable(`${rates.join(', ')} transactions per second`);
        },
        {},
        definition,
      ),
    ),
  );

/** Counts the transactions on all connections to a server that use this URL. */
export async function withCountedTransactions<T>(
  to: string,
  body: (url: string, transactions: () => number) => Promise<T>,
): Promise<T> {
  const { hostname, port } = new URL(to);
  let count = 0;
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    const endsIn = transactionEnds();
    far.on('data', (chunk: Buffer) => (count += endsIn(chunk)));
    near.pipe(far).pipe(near);
    for (const socket of [near, far])
      socket.on('error', () => undefined).on('close', () => (near.destroy(), far.destroy()));
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const url = new URL(to);
  url.port = String((relay.address() as AddressInfo).port);
  try {
    return await body(url.href, () => count);
  } finally {
    relay.close();
  }
}

/** A transaction has ended when the server is ready for a query, and idle. */
function transactionEnds(): (chunk: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let ends = 0;
    for (let length = lengthOf(rest); length <= rest.length; length = lengthOf(rest)) {
      if (rest.toString('latin1', 0, 1) === 'Z' && rest.toString('latin1', 5, 6) === 'I') ends++;
      rest = rest.subarray(length);
    }
    return ends;
  };
}

/** Of the next message: its type, its length, its body. */
const lengthOf = (bytes: Buffer): number => (bytes.length < 5 ? Infinity : 1 + bytes.readUInt32BE(1));
