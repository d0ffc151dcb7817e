import type { StoredEvent } from '../contracts/event-store.js';
import type { Long, Timestamp, Uuid } from '../contracts/scalars.js';
import type { StagedEvent } from '../contracts/unit-store.js';
import type { Upcasters } from '../contracts/upcaster.js';

/** Units that a unit of work sees, although they are not committed. */
export interface EarlierUnits {
  /** Whether the positions that the unit expects are those after them: they may be committed before it. */
  readonly countsAsStored: boolean;
  /** How many events they have staged for a stream. */
  heightOf(streamId: Uuid): number;
  /** What they have staged for a stream that is stored up to this position. */
  eventsOf(streamId: Uuid, position: Long, stored: readonly StoredEvent[]): Iterable<StoredEvent>;
}

/** A unit that is decided and not committed yet. */
export interface DecidedUnit {
  readonly events: readonly StagedEvent[];
  /** The state of a decider after this unit. */
  readonly decided?: DecidedState | undefined;
}

export interface DecidedState {
  readonly of: object;
  readonly streamId: Uuid;
  readonly held: unknown;
}

/** The decided units of commands that were queued before a command, which is decided as if they were committed. */
export class StagedBase implements EarlierUnits {
  readonly countsAsStored = true;
  /** Whether anything of it was read. */
  isUsed = false;
  /** Whether something was read that only the commit knows, such as when an event was recorded. */
  isGuessed = false;

  constructor(
    private readonly units: readonly DecidedUnit[],
    private readonly upcasters: Upcasters | undefined,
    /** Resolves when all of them are committed. */
    readonly committed: () => Promise<void>,
  ) {}

  heightOf(streamId: Uuid): number {
    return this.#staged(streamId).length;
  }

  /** Some of the units may have been stored in the meantime. */
  *eventsOf(streamId: Uuid, position: Long, stored: readonly StoredEvent[]): Iterable<StoredEvent> {
    this.isUsed = true;
    const known = new Set(stored.map(({ messageId }) => messageId));
    let at = position;
    for (const event of this.#staged(streamId))
      if (!known.has(event.envelope.messageId))
        yield asStored(event, ++at, this.upcasters, () => this.#guess());
  }

  /** The state of a decider after these units; undefined where it has to be read. */
  heldBy(of: object, streamId: Uuid): unknown {
    const last = this.units.findLast(({ events }) => events.some((event) => event.streamId === streamId));
    if (last?.decided?.of !== of || last.decided.streamId !== streamId) return undefined;
    this.isUsed = true;
    return last.decided.held;
  }

  #guess(): void {
    this.isGuessed = true;
  }

  #staged(streamId: Uuid): readonly StagedEvent[] {
    return this.units.flatMap(({ events }) => events.filter((event) => event.streamId === streamId));
  }
}

/** A staged event as the store will return it; `guess` is called for what only the commit knows. */
export function asStored(
  { envelope, streamId, occurredAt }: StagedEvent,
  streamPosition: Long,
  upcasters: Upcasters | undefined,
  guess: () => void,
): StoredEvent {
  // A sealed value is stored as null if its subject is forgotten.
  if (upcasters?.sealing?.has(envelope.messageType) === true) guess();
  const guessed = <T>(value: T): T => {
    guess();
    return value;
  };
  const { timestamp: now } = envelope;
  const event: StoredEvent = {
    ...envelope,
    // A copy: whoever reads it may change it.
    payload: JSON.parse(JSON.stringify(envelope.payload)) as unknown,
    streamId,
    streamPosition,
    get globalPosition(): Long {
      return guessed(0);
    },
    get timestamp(): Timestamp {
      return guessed(now);
    },
    get occurredAt(): Timestamp {
      return occurredAt ?? guessed(now);
    },
    get recordedAt(): Timestamp {
      return guessed(now);
    },
  };
  return upcasters?.apply(event) ?? event;
}
