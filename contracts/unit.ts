import type { EventStore } from './event-store.js';
import type { Envelope } from './message.js';
import type { Long, Timestamp, Uuid } from './scalars.js';
import type { Upcasters } from './upcaster.js';

/** An event waiting for its commit; its positions are known only after it. */
export interface StagedEvent {
  readonly streamId: Uuid;
  readonly envelope: Envelope;
  readonly occurredAt?: Timestamp | undefined;
  position?: Long;
  globalPosition?: Long;
}

/** A system message waiting for its commit. */
export interface StagedRecord {
  readonly envelope: Envelope;
  /** The staged event it tells about, whose position the store keeps beside it. */
  readonly of?: StagedEvent | undefined;
  /** Whether the writing host lets it out to the transport. */
  readonly publish: boolean;
  /** Written by the commit. Null: the unit was stored before, and this record is not. */
  recordedAt?: Timestamp | null;
}

/** What a repeated request is answered with. */
export interface StoredOutcome {
  readonly status: number;
  readonly body: string | null;
}

export interface KeyedOutcome extends StoredOutcome {
  /** Digest of tenant, principal, command type and Idempotency-Key. */
  readonly key: Uint8Array;
  /** Digest of the decoded command. */
  readonly fingerprint: Uint8Array;
}

/** Everything that one transaction stores, or refuses as a whole. */
export interface Unit {
  readonly events: readonly StagedEvent[];
  readonly records: readonly StagedRecord[];
  /** The position each named stream must have. */
  readonly expected: ReadonlyMap<Uuid, Long>;
  readonly outcome?: KeyedOutcome | undefined;
}

/** An event store that commits a unit at once and writes the positions into its staged events, and the time into its records. */
export interface UnitStore extends EventStore {
  /** Rejects with `stream-conflict` or `duplicate-in-flight` when the unit is refused: then nothing of it is stored. */
  commit(unit: Unit, signal?: AbortSignal): Promise<void>;
  /** What its reads go through. */
  readonly upcasters?: Upcasters;
}
