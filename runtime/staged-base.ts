import type { EventStore, StoredEvent } from '../contracts/event-store.js';
import type { Long, Timestamp, Uuid } from '../contracts/scalars.js';
import type { StagedEvent } from '../contracts/unit-store.js';
import type { Upcasters } from '../contracts/upcaster.js';
import { storedEventOf } from './stored-event-of.js';

/** A unit that is decided and not committed yet. */
interface DecidedUnit {
  readonly events: readonly StagedEvent[];
  /** The state of a decider after this unit. */
  readonly decided?: DecidedState | undefined;
  /** What it was decided on. */
  readonly earlier?: object | undefined;
}

export interface DecidedState {
  readonly of: object;
  readonly streamId: Uuid;
  readonly held: unknown;
}

/** A whole stream: what was stored when it was read, and what was staged after that. */
interface StreamView {
  readonly stored: readonly StoredEvent[];
  readonly staged: readonly StagedEvent[];
}

/** Beyond this, a stream is read again. */
const maxStaged = 1_000;

/** The decided units of commands that were queued before a command, which is decided as if they were committed. */
export class StagedBase {
  /** Unlike the commands of a step, they may be committed before it. */
  readonly countsAsStored = true;
  /** For the command after this one: the commit of this one checks them. */
  readonly views = new Map<Uuid, StreamView>();
  /** Whether anything of it was read. */
  isUsed = false;
  /** Whether something was read that only the commit knows, such as when an event was recorded. */
  isGuessed = false;

  constructor(
    private readonly units: readonly DecidedUnit[],
    private readonly upcasters: Upcasters,
    /** Resolves when all of them are committed. */
    readonly committed: () => Promise<void>,
  ) {}

  heightOf(streamId: Uuid): number {
    return this.#staged(streamId).length;
  }

  /** The events of a stream from a position, the staged ones included. */
  async read(store: Pick<EventStore, 'read'>, streamId: Uuid, from: Long): Promise<readonly StoredEvent[]> {
    this.isUsed = true;
    const known = this.#viewBefore(streamId);
    if (known !== undefined) {
      this.views.set(streamId, known);
      const all = [...known.stored.map(copyOf), ...this.#following(known)];
      return from === 1 ? all : all.filter(({ streamPosition }) => streamPosition >= from);
    }
    const stored: StoredEvent[] = [];
    for await (const event of store.read(streamId, { from })) stored.push(event);
    const ids = new Set(stored.map(({ messageId }) => messageId));
    // Some of the units may have been stored in the meantime.
    const staged = this.#staged(streamId).filter(({ envelope }) => !ids.has(envelope.messageId));
    if (from === 1 && !stored.some(({ messageType }) => this.#isSealed(messageType)))
      this.views.set(streamId, { stored: stored.map(copyOf), staged });
    return [...stored, ...this.#following({ stored, staged })];
  }

  /** The state of a decider after these units; undefined where it has to be read. */
  heldBy(of: object, streamId: Uuid): unknown {
    const { decided } = this.#last(streamId) ?? {};
    if (decided?.of !== of || decided.streamId !== streamId) return undefined;
    this.isUsed = true;
    return decided.held;
  }

  #viewBefore(streamId: Uuid): StreamView | undefined {
    const last = this.#last(streamId);
    const view = last?.earlier instanceof StagedBase ? last.earlier.views.get(streamId) : undefined;
    if (last === undefined || view === undefined || view.staged.length > maxStaged) return undefined;
    return this.#withCommitted({
      stored: view.stored,
      staged: [...view.staged, ...eventsOf(streamId, last)],
    });
  }

  /** What is committed by now is like any other stored event. */
  #withCommitted({ stored, staged }: StreamView): StreamView {
    const committed: StoredEvent[] = [];
    for (const event of staged) {
      const known = storedEventOf(event, this.upcasters);
      if (known === undefined) break;
      committed.push(known);
    }
    if (committed.length === 0) return { stored, staged };
    return { stored: [...stored, ...committed], staged: staged.slice(committed.length) };
  }

  #following({ stored, staged }: StreamView): readonly StoredEvent[] {
    const position = stored.at(-1)?.streamPosition ?? 0;
    return staged.map((event, index) =>
      asStored(event, position + index + 1, this.upcasters, () => (this.isGuessed = true)),
    );
  }

  #last(streamId: Uuid): DecidedUnit | undefined {
    return this.units.findLast(({ events }) => events.some((event) => event.streamId === streamId));
  }

  #staged(streamId: Uuid): readonly StagedEvent[] {
    return this.units.flatMap((unit) => eventsOf(streamId, unit));
  }

  #isSealed(type: string): boolean {
    return this.upcasters.sealing?.has(type) === true;
  }
}

const eventsOf = (streamId: Uuid, { events }: DecidedUnit): readonly StagedEvent[] =>
  events.filter((event) => event.streamId === streamId);

/** A receptor may change what it has read. */
const copyOf = (event: StoredEvent): StoredEvent => ({ ...event, payload: copyOfPayload(event.payload) });

const copyOfPayload = (payload: unknown): unknown => JSON.parse(JSON.stringify(payload));

/** A staged event as the store will return it; `guess` is called for what only the commit knows. */
export function asStored(
  { envelope, streamId, occurredAt }: StagedEvent,
  streamPosition: Long,
  upcasters: Upcasters,
  guess: () => void,
): StoredEvent {
  // A sealed value is stored as null if its subject is forgotten.
  if (upcasters.sealing?.has(envelope.messageType) === true) guess();
  const guessed = <T>(value: T): T => {
    guess();
    return value;
  };
  const { timestamp: now } = envelope;
  const event: StoredEvent = {
    ...envelope,
    payload: copyOfPayload(envelope.payload),
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
  return upcasters.apply(event);
}
