import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { Database } from '../database/database.js';
import { type ChainHead, digestOf, genesis, hashAfter } from './chain.js';
import { contentOf, longOf, timeOf } from './binary-copy-values.js';
import { progressEvery, ReceivedChainWalk, receivedFrom, receivedText } from './verify-received-chain.js';
import { type ChainStart, chainStart } from './chain-start.js';
import { lastSystemPosition } from './read-system-stream.js';

export interface ChainReport {
  readonly ok: boolean;
  /** How many records are valid, from the first that was read on. */
  readonly records: number;
  /** The last valid record. */
  readonly head: ChainHead;
  /** The first position that is invalid or missing. */
  readonly firstBroken?: Long;
  /** The last record that is archived, and was not read. */
  readonly archivedTo?: Long;
  /** For another store's chain: how many records before the head were not received or not sent. */
  readonly missing?: number;
}

export interface VerifyOptions {
  /** An earlier head, whose record must be unchanged. */
  readonly against?: ChainHead | undefined;
  /** Another store: verifies what was received from it. */
  readonly origin?: Uuid | undefined;
  /** Called now and then with the number of verified records and the total. */
  readonly progress?: (done: number, total: number) => void;
}

/** Recomputes the chain up to the current last record; records stored meanwhile are left to the next verification. */
export async function verifyChain(database: Database, options: VerifyOptions = {}): Promise<ChainReport> {
  const { text, walk } = await walkOf(database, options);
  const session = await database.session();
  let done = false;
  try {
    await session.rows({ text: 'SET statement_timeout = 0' });
    await session.copyOut(text, (row) => {
      if (!walk.take(row)) throw new Broken();
    });
    done = true;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  } finally {
    // Its settings were changed, and the copy may have been abandoned at a broken record.
    session.release(true);
  }
  return walk.report(done);
}

/** Verifies a chain, record by record. */
interface Walk {
  /** Returns false when the record is invalid. */
  take(row: CopiedRow): boolean;
  report(reachedTheEnd: boolean): ChainReport;
}

async function walkOf(
  database: Database,
  { origin, ...options }: VerifyOptions,
): Promise<{ readonly text: string; readonly walk: Walk }> {
  if (origin !== undefined) {
    const received = await receivedFrom(database, origin);
    return { text: receivedText(received), walk: new ReceivedChainWalk(received, options) };
  }
  const [last, start] = [await lastSystemPosition(database), await chainStart(database)];
  if (start.position > 0) mustCompare(options.against, start);
  return { text: rowsUpTo(last, start), walk: new ChainWalk(last, start, options) };
}

/** Nothing can be said about an archived record. */
function mustCompare(against: ChainHead | undefined, { position }: ChainStart): void {
  if (against !== undefined && against.position <= position)
    throw new Problem('history-archived', {
      detail: `The head to compare with is record ${against.position}, and records up to ${position} are archived: attach their segments first (svc segments attach).`,
    });
}

const rowsUpTo = (last: Long, { low }: ChainStart): string => `COPY (
  SELECT stream_position, global_position, coalesce(original_position, 0), recorded_at, event_id, hash,
    event_type, data, metadata, host, publish
  FROM svc_system_events WHERE global_position >= ${low} AND stream_position <= ${last} ORDER BY stream_position) TO STDOUT (FORMAT binary)`;

class Broken extends Problem {
  constructor() {
    super('unexpected', { detail: 'The chain is broken.' });
  }
}

/** Verifies the chain of this store, record by record, until one is invalid. */
class ChainWalk {
  #position: Long;
  #hash: Buffer;

  constructor(
    private readonly last: Long,
    private readonly start: ChainStart,
    private readonly options: VerifyOptions,
  ) {
    this.#position = start.position;
    this.#hash = start.hash;
  }

  take([position, global, original, recorded, eventId, stored, ...content]: CopiedRow): boolean {
    const next = this.#position + 1;
    const record = {
      position: next,
      globalPosition: longOf(global),
      originalPosition: longOf(original),
      recordedAt: timeOf(recorded),
      eventId: eventId ?? genesis,
    };
    const hash = hashAfter(this.#hash, record, digestOf(contentOf(content)));
    const { against, progress } = this.options;
    const holds = this.start.isRecorded && longOf(position) === next && stored?.equals(hash) === true;
    if (!holds || (against?.position === next && against.hash !== hash.toString('hex'))) return false;
    this.#position = next;
    this.#hash = hash;
    if (next % progressEvery === 0) progress?.(next, this.last);
    return true;
  }

  report(reachedTheEnd: boolean): ChainReport {
    const position = this.#position;
    const ok = reachedTheEnd && position >= (this.options.against?.position ?? 0);
    const head = { position, hash: this.#hash.toString('hex') };
    const archived = this.start.position === 0 ? {} : { archivedTo: this.start.position };
    const records = position - this.start.position;
    return { ok, records, head, ...archived, ...(ok ? {} : { firstBroken: position + 1 }) };
  }
}
