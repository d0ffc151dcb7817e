import { Problem } from '../../contracts/problems.js';
import { isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { Database } from '../database/database.js';
import { type ChainHead, digestOf, genesis, hashAfter } from './chain.js';
import { contentOf, longOf, timeOf } from './binary-copy-values.js';

/** Records between two progress reports of a verification. */
export const progressEvery = 10_000;

interface ReceivedFrom {
  readonly origin: number;
  readonly last: Long;
  readonly records: number;
  /** The newest head that its store announced. */
  readonly head: ChainHead | undefined;
}

export async function receivedFrom(database: Database, store: Uuid): Promise<ReceivedFrom> {
  const [row] = isUuid(store)
    ? await database.rows({
        text: `SELECT o.origin, max(r.stream_position), count(r.id), o.head_position, encode(o.head_hash, 'hex')
          FROM svc_origins o
          LEFT JOIN svc_received_system_events r USING (origin) WHERE o.store = $1 AND o.origin <> 0 GROUP BY o.origin`,
        values: [store],
      })
    : [];
  if (row !== undefined) {
    const [origin, last, records, position, hash] = row;
    const head =
      typeof position === 'string' && typeof hash === 'string'
        ? { position: Number(position), hash }
        : undefined;
    return { origin: Number(origin), last: Number(last ?? 0), records: Number(records), head };
  }
  throw new Problem('not-found', { detail: `Nothing was received from store ${store}.` });
}

export const receivedText = ({ origin, last }: ReceivedFrom): string => `COPY (
  SELECT stream_position, global_position, coalesce(original_position, 0), recorded_at, event_id, hash, digest, omitted,
    event_type, data, metadata, host, true
  FROM svc_received_system_events WHERE origin = ${origin} AND stream_position <= ${last}
  ORDER BY stream_position) TO STDOUT (FORMAT binary)`;

interface WalkOptions {
  readonly against?: ChainHead | undefined;
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Verifies the received part of a chain. A store may keep records to itself: after a missing record the hash of the
 * next one is trusted, and the chain continues from there.
 */
export class ReceivedChainWalk {
  #position = 0;
  #hash = genesis;
  #records = 0;
  #broken: Long | undefined;

  constructor(
    private readonly from: Pick<ReceivedFrom, 'records' | 'head'>,
    private readonly options: WalkOptions,
  ) {}

  take(row: CopiedRow): boolean {
    const holds = this.#holds(row);
    if (!holds) this.#broken = longOf(row[0]);
    return holds;
  }

  #holds([
    positionBytes,
    global,
    original,
    recorded,
    eventId,
    stored,
    digest,
    omitted,
    ...content
  ]: CopiedRow): boolean {
    const position = longOf(positionBytes);
    if (stored === null || stored === undefined || digest === null || digest === undefined) return false;
    // One that its store had kept to itself was sent later, by an operator.
    const isWhole = [true, false].some((publish) =>
      digestOf({ ...contentOf(content), publish }).equals(digest),
    );
    if (omitted?.[0] !== 1 && !isWhole) return false;
    const record = {
      position,
      globalPosition: longOf(global),
      originalPosition: longOf(original),
      recordedAt: timeOf(recorded),
      eventId: eventId ?? genesis,
    };
    if (position === this.#position + 1 && !hashAfter(this.#hash, record, digest).equals(stored))
      return false;
    const { against, progress } = this.options;
    for (const known of [against, this.from.head])
      if (known?.position === position && known.hash !== stored.toString('hex')) return false;
    this.#position = position;
    // The buffer is reused for the next row.
    this.#hash = Buffer.from(stored);
    if (++this.#records % progressEvery === 0) progress?.(this.#records, this.from.records);
    return true;
  }

  report(reachedTheEnd: boolean) {
    const position = this.#position;
    const ok = reachedTheEnd && position >= (this.options.against?.position ?? 0);
    const head = { position, hash: this.#hash.toString('hex') };
    // Records that the store announced after the last one received are missing too.
    const missing = Math.max(position, reachedTheEnd ? (this.from.head?.position ?? 0) : 0) - this.#records;
    return {
      ok,
      records: this.#records,
      head,
      missing,
      ...(ok ? {} : { firstBroken: this.#broken ?? position + 1 }),
    };
  }
}
