import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { Database } from '../database/database.js';
import { type ChainHead, genesis, hashAfter } from './chain.js';
import { lastSystemPosition } from './system-pages.js';

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
  /** Told now and then how many of how many records hold. */
  readonly progress?: (done: number, total: number) => void;
}

/** Recomputes the chain up to the last record there is now; records that come meanwhile are for the next time. */
export async function verifyChain(database: Database, options: VerifyOptions = {}): Promise<ChainReport> {
  const last = await lastSystemPosition(database);
  const walk = new ChainWalk(last, options);
  const session = await database.session();
  let done = false;
  try {
    await session.rows({ text: 'SET statement_timeout = 0' });
    await session.copyOut(rowsUpTo(last), (row) => walk.take(row));
    done = true;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  } finally {
    // Its settings are changed, and what comes after a broken record is of no interest.
    session.release(true);
  }
  return walk.report(done);
}

const rowsUpTo = (last: Long): string => `COPY (
  SELECT stream_position, coalesce(original_position, 0), recorded_at, event_id, event_type, data, hash
  FROM svc_system_events WHERE stream_position <= ${last} ORDER BY stream_position) TO STDOUT (FORMAT binary)`;

class Broken extends Problem {
  constructor() {
    super('unexpected', { detail: 'The chain is broken.' });
  }
}

const tellEvery = 10_000;

/** Goes along the chain, record by record, for as long as it holds. */
class ChainWalk {
  #position = 0;
  #hash = genesis;

  constructor(
    private readonly last: Long,
    private readonly options: VerifyOptions,
  ) {}

  take([position, original, recorded, eventId, type, data, stored]: CopiedRow): void {
    const next = this.#position + 1;
    const hash = hashAfter(this.#hash, {
      position: next,
      originalPosition: longOf(original),
      recordedAt: longOf(recorded) + microsUntil2000,
      eventId: eventId ?? genesis,
      content: Buffer.concat([type ?? genesis, data ?? genesis]),
    });
    const { against, progress } = this.options;
    const holds = longOf(position) === next && stored?.equals(hash) === true;
    if (!holds || (against?.position === next && against.hash !== hash.toString('hex'))) throw new Broken();
    this.#position = next;
    this.#hash = hash;
    if (next % tellEvery === 0) progress?.(next, this.last);
  }

  report(reachedTheEnd: boolean): ChainReport {
    const position = this.#position;
    const ok = reachedTheEnd && position >= (this.options.against?.position ?? 0);
    const head = { position, hash: this.#hash.toString('hex') };
    return { ok, records: position, head, ...(ok ? {} : { firstBroken: position + 1 }) };
  }
}

const microsUntil2000 = 946_684_800_000_000;

const longOf = (bytes: Buffer | null | undefined): number =>
  bytes?.length === 8 ? bytes.readInt32BE(0) * 0x1_0000_0000 + bytes.readUInt32BE(4) : -1;
