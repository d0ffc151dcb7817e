import { order } from './bakery.js';
import { openRaw, type RawConnection, rawPost } from './http-client.js';
import type { oven } from './oven.js';

export const breadFor = (customer: string): string =>
  rawPost('/bread', JSON.stringify({ ...order, customer }));

/** The status lines in what was received. */
export const answersIn = (received: string): readonly string[] => received.match(/HTTP\/1\.1 \d{3}/g) ?? [];

/** A connection on which one order was answered. */
export async function usedConnection(url: string): Promise<RawConnection> {
  const line = await openRaw(url);
  line.write(breadFor('Ada'));
  await line.until(/batch/);
  return line;
}

/** A connection with two pipelined orders, of `first` and `second`, which wait in the oven. */
export async function twoInOven(url: string, { has }: ReturnType<typeof oven>): Promise<RawConnection> {
  const line = await openRaw(url);
  line.write(breadFor('first') + breadFor('second'));
  await has('first', 'second');
  return line;
}
