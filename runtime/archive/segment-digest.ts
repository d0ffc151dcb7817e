import { contentOf, longOf, timeOf } from '../audit/binary-copy-values.js';
import { digestOf, hashAfter } from '../audit/chain.js';
import type { CopiedRow } from '../database/copy-out.js';
import { sha256 } from '../lang/sha256.js';
import type { SegmentDigests } from '../segments/verify-segments.js';

/** Which types its events and its records have. */
export interface SegmentTypes {
  readonly eventTypes: readonly string[];
  readonly recordTypes: readonly string[];
}

/** Rows of both logs. */
export interface LogRows {
  readonly events: readonly CopiedRow[];
  readonly records: readonly CopiedRow[];
}

/** What the chain was before a segment. */
export interface ChainStart {
  /** The position of its first record. */
  readonly firstSystem: number;
  /** The hash of the record before. */
  readonly prevHash: Buffer;
}

/** As svc_segment_digest: so many positions are hashed together. */
const stretch = 1024;

/** Computes the digests and the chain of a segment outside the database; rows come in the order of the log. */
export class SegmentDigest {
  readonly #events: StretchedDigest;
  readonly #records: StretchedDigest;
  readonly #eventTypes = new Set<string>();
  readonly #recordTypes = new Set<string>();
  #hash: Buffer;
  #position: number;
  #isChained = true;

  constructor(low: number, { firstSystem, prevHash }: ChainStart) {
    this.#events = new StretchedDigest(low);
    this.#records = new StretchedDigest(low);
    this.#hash = prevHash;
    this.#position = firstSystem;
  }

  take({ events, records }: LogRows): void {
    for (const row of events) this.#takeEvent(row);
    for (const row of records) this.#takeRecord(row);
  }

  /** Undefined if the chain of its records is broken. */
  end(): (SegmentDigests & SegmentTypes) | undefined {
    if (!this.#isChained) return undefined;
    const [events, records] = [this.#events.end(), this.#records.end()];
    return {
      events: events.count,
      records: records.count,
      eventsSha256: events.sha256,
      recordsSha256: records.sha256,
      lastHash: this.#hash.toString('hex'),
      eventTypes: [...this.#eventTypes].toSorted(),
      recordTypes: [...this.#recordTypes].toSorted(),
    };
  }

  #takeEvent([
    global,
    stream,
    origin,
    position,
    id,
    type,
    data,
    metadata,
    host,
    occurred,
    recorded,
    late,
  ]: CopiedRow): void {
    this.#eventTypes.add(String(type));
    const content = digestOf(
      contentOf([type ?? null, data ?? null, metadata ?? null, host ?? null, late ?? null]),
    );
    this.#events.take(longOf(global), [global, stream, origin, position, id, occurred, recorded, content]);
  }

  #takeRecord(row: CopiedRow): void {
    const [global, position, id, type, data, metadata, original, publish, digest, hash, host, recorded] = row;
    this.#recordTypes.add(String(type));
    const content = digestOf(
      contentOf([type ?? null, data ?? null, metadata ?? null, host ?? null, publish ?? null]),
    );
    const [about, globalPosition] = [original ?? zero, longOf(global)];
    this.#records.take(globalPosition, [global, position, id, about, recorded, digest, hash, content]);
    const record = {
      position: this.#position,
      globalPosition,
      originalPosition: longOf(about),
      recordedAt: timeOf(recorded),
      eventId: id ?? zero,
    };
    this.#hash = hashAfter(this.#hash, record, content);
    this.#isChained &&=
      longOf(position) === this.#position &&
      digest?.equals(content) === true &&
      hash?.equals(this.#hash) === true;
    this.#position++;
  }
}

export const isSame = (a: SegmentDigests, b: SegmentDigests): boolean =>
  a.events === b.events &&
  a.records === b.records &&
  a.lastHash === b.lastHash &&
  a.eventsSha256 === b.eventsSha256 &&
  a.recordsSha256 === b.recordsSha256;

const zero = Buffer.alloc(8);

class StretchedDigest {
  #sha256: Buffer = Buffer.alloc(0);
  #rows: Buffer[] = [];
  #stretch = 0;
  #count = 0;

  constructor(private readonly low: number) {}

  take(position: number, parts: readonly (Buffer | null | undefined)[]): void {
    const at = Math.floor((position - this.low) / stretch);
    if (at !== this.#stretch) this.#close();
    this.#stretch = at;
    this.#rows.push(sha256(Buffer.concat(parts.map((part) => part ?? zero))));
    this.#count++;
  }

  end(): { readonly count: number; readonly sha256: string } {
    this.#close();
    return { count: this.#count, sha256: this.#sha256.toString('hex') };
  }

  #close(): void {
    if (this.#rows.length > 0) this.#sha256 = sha256(Buffer.concat([this.#sha256, ...this.#rows]));
    this.#rows = [];
  }
}
