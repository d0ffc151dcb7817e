import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../runtime/database/database.js';

interface Read {
  readonly reads: number;
  readonly errors: number;
  /** Answers that did not contain the whole model. */
  readonly halfBuilt: number;
}

const everyMs = 10;

/** Reads the model repeatedly, as queries do, until stopped. */
export function startReaders(url: string, count: number, streams: number): () => Promise<Read> {
  const database = openDatabase({ url, connections: count });
  const read = { reads: 0, errors: 0, halfBuilt: 0, continues: true };
  const one = async (): Promise<void> => {
    while (read.continues) {
      try {
        const [row] = await database.rows({ text: 'SELECT count(*), min(total) FROM svc_per_order_totals' });
        if (Number(row?.[0]) !== streams || row?.[1] === null) read.halfBuilt++;
      } catch {
        read.errors++;
      }
      read.reads++;
      await delay(everyMs);
    }
  };
  const done = Promise.all(Array.from({ length: count }, one));
  return async () => {
    read.continues = false;
    await done;
    await database.close();
    return read;
  };
}
