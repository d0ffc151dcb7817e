import type { EventStore } from './event-store.js';
import type { Envelope } from './message.js';
import type { Long, Timestamp, Uuid } from './scalars.js';
import type { ReservationKey, UnitLists } from './unit-lists.js';
import type { Upcasters } from './upcaster.js';

/** An event waiting for its commit, which sets its positions and whatever else the store adds. */
export interface StagedEvent {
  readonly streamId: Uuid;
  readonly envelope: Envelope;
  readonly occurredAt?: Timestamp | undefined;
  position?: Long;
  globalPosition?: Long;
  /** Null: the unit was already stored. */
  recordedAt?: Timestamp | null;
  host?: string;
}

/** A system message waiting for its commit. */
export interface StagedRecord {
  readonly envelope: Envelope;
  /** The staged event that it describes; the store keeps that event's position beside it. */
  readonly of?: StagedEvent | undefined;
  /** Whether the writing host publishes it. */
  readonly publish: boolean;
  /** Set by the commit. Null: the unit was already stored, and this record was not stored again. */
  recordedAt?: Timestamp | null;
}

/** The stored response to a repeated request. */
export interface StoredOutcome {
  readonly status: number;
  readonly body: string | null;
}

/** The response of a command that succeeded. */
export const outcomeWith = (body: string | null): StoredOutcome => ({
  status: body === null ? 204 : 200,
  body,
});

export interface KeyedOutcome extends StoredOutcome {
  /** Digest of tenant, principal, command type and Idempotency-Key. */
  readonly key: Uint8Array;
  /** Digest of the decoded command. */
  readonly fingerprint: Uint8Array;
}

/** Everything that one transaction stores or rejects as a whole. */
export interface Unit {
  readonly events: readonly StagedEvent[];
  readonly records: readonly StagedRecord[];
  /** The required positions of streams. */
  readonly expected: ReadonlyMap<Uuid, Long>;
  readonly outcome?: KeyedOutcome | undefined;
  /** Timers, reservations and the progress of reactions and processes; most units have none. */
  readonly lists?: UnitLists | undefined;
}

/** An event store that commits a unit atomically, and then sets the positions of its events and the time of its records. */
export interface UnitStore extends EventStore {
  /**
   * Rejects with `stream-conflict`, `duplicate-in-flight`, `overtaken`, `timer-gone` or `already-reserved`, and then
   * stores nothing of the unit.
   */
  commit(unit: Unit, signal?: AbortSignal): Promise<void>;
  /** Applied to everything it reads. */
  readonly upcasters?: Upcasters;
  /** Set by a store that has reservations. */
  readonly reservationKey?: ReservationKey;
}
