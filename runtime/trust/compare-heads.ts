import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { keptRotations } from './kept-rotations.js';
import { earlierKeysOf } from './key-rotation.js';
import { isSigned, type SignedHead } from './signed-head.js';

/** What signed heads that are kept outside a log prove about it. */
export interface HeadsReport {
  /** How many were signed by the store and agree with the log. */
  readonly agreeing: number;
  /** When the oldest and the newest of them were signed. */
  readonly since?: Timestamp;
  readonly until?: Timestamp;
  /** The highest of their positions. */
  readonly upTo?: Long;
  /** How many came under the name of the store and were not signed with its key. */
  readonly refused: number;
  /** The lowest head that the store has signed and that its log denies. */
  readonly denied?: DeniedHead;
}

/** `missing`: the log has no such record. `other`: it has another one there. */
interface DeniedHead {
  readonly position: Long;
  readonly at: Timestamp;
  readonly record: 'missing' | 'other';
}

/** The log that heads are compared with. */
export interface ComparedLog {
  readonly store: Uuid;
  /** The key of the store, in hexadecimal. */
  readonly publicKey: string | undefined;
  /** The keys that it replaced, with the last position that each signs. */
  readonly earlierKeys: ReadonlyMap<string, Long>;
  /** The hashes at these positions, in hexadecimal; positions without a record are left out. */
  readonly hashesAt: (positions: readonly Long[]) => Promise<ReadonlyMap<Long, string>>;
  /** From this position on, a record that is not there was removed; before it, none is expected. */
  readonly wholeFrom: Long;
}

/** Compares heads with a log, batch by batch; keeps none of them. */
export class HeadComparison {
  #agreeing = 0;
  #refused = 0;
  #since: Timestamp | undefined;
  #until: Timestamp | undefined;
  #upTo: Long | undefined;
  #denied: DeniedHead | undefined;
  #last: Pick<SignedHead, 'position' | 'hash'> | undefined;

  constructor(private readonly log: ComparedLog) {}

  async take(heads: readonly SignedHead[]): Promise<void> {
    const signed = heads.filter((head) => this.#isOurs(head));
    if (signed.length === 0) return;
    const hashes = await this.log.hashesAt(signed.map(({ position }) => position));
    for (const head of signed) this.#compare(head, hashes.get(head.position));
  }

  /** An unchanged head is announced again and again: its signature is checked once. */
  #isOurs(head: SignedHead): boolean {
    if (head.store !== this.log.store) return false;
    if (head.position === this.#last?.position && head.hash === this.#last.hash) return false;
    const isOfStore =
      head.publicKey === this.log.publicKey ||
      head.history.publishedTo <= (this.log.earlierKeys.get(head.publicKey) ?? -1);
    if (!isOfStore || !isSigned(head)) {
      this.#refused++;
      return false;
    }
    this.#last = head;
    return true;
  }

  #compare({ position, hash, at }: SignedHead, found: string | undefined): void {
    if (found === undefined && position < this.log.wholeFrom) return;
    if (found !== hash) {
      const record = found === undefined ? 'missing' : 'other';
      if (this.#denied === undefined || position < this.#denied.position)
        this.#denied = { position, at, record };
      return;
    }
    this.#agreeing++;
    if (this.#since === undefined || at < this.#since) this.#since = at;
    if (this.#until === undefined || at > this.#until) this.#until = at;
    this.#upTo = Math.max(position, this.#upTo ?? 0);
  }

  report(): HeadsReport {
    return {
      agreeing: this.#agreeing,
      ...(this.#since === undefined ? {} : { since: this.#since }),
      ...(this.#until === undefined ? {} : { until: this.#until }),
      ...(this.#upTo === undefined ? {} : { upTo: this.#upTo }),
      refused: this.#refused,
      ...(this.#denied === undefined ? {} : { denied: this.#denied }),
    };
  }
}

/** Our own log, with the key that the store records; a store that is not migrated yet has none. */
export async function ownLog(database: Pick<Database, 'rows'>): Promise<ComparedLog> {
  const [row] = await database.rows({
    text: `SELECT id, substr(to_jsonb(s) ->> 'public_key', 3),
      (SELECT v.first_system FROM svc_segments v WHERE v.state <> 'archived' ORDER BY v.low LIMIT 1) FROM svc_store s`,
  });
  const hashes = `SELECT stream_position, encode(hash, 'hex') FROM svc_system_events WHERE stream_position = ANY ($1::bigint[])`;
  const [store, publicKey] = [row?.[0] ?? '', row?.[1] ?? undefined];
  return {
    store,
    publicKey,
    earlierKeys: await keysBefore(database, store, publicKey),
    hashesAt: async (positions) => toMap(await database.rows({ text: hashes, values: [positions] })),
    wholeFrom: Number(row?.[2] ?? 1),
  };
}

/** What was received of another store's log. */
export async function receivedLog(database: Pick<Database, 'rows'>, store: Uuid): Promise<ComparedLog> {
  const [row] = await database.rows({
    text: `SELECT origin, substr(to_jsonb(o) ->> 'public_key', 3) FROM svc_origins o WHERE store = $1`,
    values: [store],
  });
  const hashes = `SELECT stream_position, encode(hash, 'hex') FROM svc_received_system_events
    WHERE origin = $2::smallint AND stream_position = ANY ($1::bigint[])`;
  const publicKey = row?.[1] ?? undefined;
  return {
    store,
    publicKey,
    earlierKeys: await keysBefore(database, store, publicKey),
    hashesAt: async (positions) =>
      toMap(await database.rows({ text: hashes, values: [positions, row?.[0] ?? '0'] })),
    wholeFrom: Number.MAX_SAFE_INTEGER,
  };
}

const keysBefore = async (
  database: Pick<Database, 'rows'>,
  store: Uuid,
  publicKey: string | undefined,
): Promise<ReadonlyMap<string, Long>> =>
  publicKey === undefined ? new Map() : earlierKeysOf(store, publicKey, await keptRotations(database, store));

const toMap = (rows: readonly (readonly (string | null)[])[]): ReadonlyMap<Long, string> =>
  new Map(rows.map(([position, hash]) => [Number(position), hash ?? '']));
