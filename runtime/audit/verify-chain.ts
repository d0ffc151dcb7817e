import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import { type ChainHead, genesis, hashAfter } from './chain.js';
import { lastSystemPosition, systemPages } from './system-pages.js';

export interface ChainReport {
  readonly ok: boolean;
  /** How many records hold, from the first on. */
  readonly records: number;
  /** The last of them. */
  readonly head: ChainHead;
  /** The first position that does not hold, or is not there. */
  readonly firstBroken?: Long;
}

export interface VerifyOptions {
  /** An earlier head: what stood there must stand there still. */
  readonly against?: ChainHead | undefined;
  readonly progress?: (done: number, total: number) => void;
}

const columns = `coalesce(original_position, 0), (extract(epoch FROM recorded_at) * 1000000)::bigint, event_id, event_type, data, encode(hash, 'hex')`;

/** Recomputes the chain up to the last record there is now; records that come meanwhile are for the next time. */
export async function verifyChain(database: Database, options: VerifyOptions = {}): Promise<ChainReport> {
  const { against, progress } = options;
  const last = await lastSystemPosition(database);
  let previous = genesis;
  let position = 0;
  const report = (firstBroken?: Long): ChainReport => ({
    ok: firstBroken === undefined,
    records: position,
    head: { position, hash: previous.toString('hex') },
    ...(firstBroken === undefined ? {} : { firstBroken }),
  });
  for await (const page of systemPages(database, columns, { from: 0, to: last })) {
    for (const row of page) {
      const hash = holds(row, position + 1, previous);
      if (hash === undefined) return report(position + 1);
      if (against?.position === position + 1 && against.hash !== hash.toString('hex'))
        return report(position + 1);
      previous = hash;
      position++;
    }
    progress?.(position, last);
  }
  return report(position < (against?.position ?? 0) ? position + 1 : undefined);
}

/** The hash of a row that stands where it should and says what it said when it was stored. */
function holds(row: Row, expected: Long, previous: Buffer): Buffer | undefined {
  const [position, originalPosition, recordedAt, eventId, type, data, stored] = row;
  if (Number(position) !== expected) return undefined;
  const hash = hashAfter(previous, {
    position: expected,
    originalPosition: Number(originalPosition),
    recordedAt: Number(recordedAt),
    eventId: eventId ?? '',
    type: type ?? '',
    data: data ?? '',
  });
  return hash.toString('hex') === stored ? hash : undefined;
}
