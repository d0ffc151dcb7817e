import type { Json, Timestamp, Uuid } from './scalars.js';
import type { StagedRecord } from './unit-store.js';

/** A request that a host has claimed: until its due time no other host has it. */
export interface ClaimedEffect {
  readonly id: Uuid;
  readonly name: string;
  readonly key: string;
  readonly lane: string;
  /** How often it has failed, and how often it was claimed, this time included. */
  readonly attempts: number;
  readonly claims: number;
  /** The end of the claim. */
  readonly dueAt: Timestamp;
  readonly askedAt: Timestamp;
  /** How long ago it was asked for, by the clock of the database. */
  readonly ageMs: number;
  readonly data: Json;
  readonly context: Json;
  readonly progress: Json | undefined;
}

/** A claim as its host knows it; without a due time: the last answer was lost. */
export interface HeldClaim {
  readonly id: Uuid;
  readonly dueAt: Timestamp | undefined;
}

/** What a host has room for. */
export interface ClaimRequest {
  readonly parts: readonly number[];
  readonly names: readonly {
    readonly name: string;
    /** How many of the effect, and how many of one lane that has none in flight. */
    readonly room: number;
    readonly each: number;
    /** The lane from which this claim continues, as the last one said; '': it begins with the first one. */
    readonly hand: string;
  }[];
  /** How many lanes of an effect and a partition it looks at. */
  readonly reach: number;
  /** How many more of a lane that has some in flight. */
  readonly lanes: ReadonlyMap<string, number>;
  /** Whether it may claim one of those under whose calls several hosts have ended in a row. */
  readonly suspect: boolean;
  readonly forMs: number;
}

/** So many claims in a row that ended without an answer make a request suspect: it may kill its hosts. */
export const suspectAfter = 3;

/** So often a request may end its host, or lose it, without any answer. */
export const mostLost = 5;

export interface ClaimAnswer {
  readonly effects: readonly ClaimedEffect[];
  /** Of each effect, the lane from which the next claim continues, so that lanes take turns; '': all have had theirs. */
  readonly hands: ReadonlyMap<string, string>;
  /** When the next request is due of those lanes that were looked at. */
  readonly nextInMs: number | undefined;
}

/** Why a request is parked; the record is stored with it. */
export interface ParkedBecause {
  readonly error: string;
  readonly attempts: number;
  readonly record: StagedRecord | undefined;
}

/** What runs effects claims, prolongs, delays and parks them here; what they lead to is a unit like any other. */
export interface EffectStore {
  /** Claims due requests of the partitions that the host holds, those of each lane in turn. */
  claim(request: ClaimRequest): Promise<ClaimAnswer>;
  /** Prolongs claims; those that are not in the answer are gone, or another host has them. */
  beat(claims: readonly HeldClaim[], forMs: number, progress?: Json): Promise<ReadonlyMap<Uuid, Timestamp>>;
  /** Sets when it is tried again; false: it is not this host's any more. */
  tryAgain(
    claim: HeldClaim,
    again: { readonly inMs: number; readonly error: string | null; readonly attempts: number },
  ): Promise<boolean>;
  park(claim: HeldClaim, because: ParkedBecause): Promise<boolean>;
  /** Tries again what another version could not read. */
  release(parts: readonly number[], names: readonly string[]): Promise<void>;
  /** What other hosts have in flight: of each effect how many, and when the last claim ends. */
  othersInFlight(
    parts: readonly number[],
    names: readonly string[],
  ): Promise<readonly { readonly name: string; readonly count: number; readonly endsInMs: number }[]>;
}
