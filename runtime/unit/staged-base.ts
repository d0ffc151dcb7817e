import type { EventStore, StoredEvent } from '../../contracts/event-store.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { StagedEvent } from '../../contracts/unit-store.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import { freezePlain } from '../lang/plain-state.js';
import { committedEvent } from '../envelope/staged-event.js';

/** A unit that is decided but not yet committed. */
interface DecidedUnit {
  readonly events: readonly StagedEvent[];
  /** The positions of all streams that it appends to: its commit checks them. */
  readonly expected: ReadonlyMap<Uuid, Long>;
  /** The state of a decider after this unit. */
  readonly decided?: DecidedState | undefined;
  /** The units that it was decided on. */
  readonly earlier?: object | undefined;
}

export interface DecidedState {
  readonly of: object;
  readonly streamId: Uuid;
  readonly held: unknown;
}

/** A staged event, and the position that it gets if its unit is committed. */
interface PlacedEvent {
  readonly event: StagedEvent;
  readonly position: Long;
}

/** A whole stream, shared by all its readers: the stored events, and those staged after them. */
interface StreamView {
  readonly stored: readonly StoredEvent[];
  readonly staged: readonly { readonly event: StagedEvent; readonly asStored: StoredEvent }[];
  /** Its current reader: one command of a key is decided at a time. */
  readonly reader: { base: StagedBase };
}

/** The decided units of earlier commands. A command is decided as if they were committed. */
export class StagedBase {
  /** Unlike the commands of a step, they may be committed before it. */
  readonly countsAsStored = true;
  /** Passed to the next command: the commit of this one checks them. */
  readonly views = new Map<Uuid, StreamView>();
  /** Whether anything was read from it. */
  isUsed = false;
  /** Whether something was read that only the commit knows, such as when an event was recorded. */
  isGuessed = false;
  /** Whether a stream was read from units that may have been committed before this command was sent. */
  isOld = false;

  constructor(
    private readonly units: readonly DecidedUnit[],
    /** The number of units that are on their way to the store. */
    private readonly sent: number,
    private readonly upcasters: Upcasters,
    /** Resolves when all of them are committed. */
    readonly committed: () => Promise<void>,
  ) {}

  heightOf(streamId: Uuid): number {
    return this.#staged(streamId).length;
  }

  /** The last position of a stream when these units are committed; 0 if they do not append to it. */
  endOf(streamId: Uuid): Long {
    return this.#staged(streamId).at(-1)?.position ?? 0;
  }

  /** The events of a stream from a position, staged ones included. */
  async read(store: Pick<EventStore, 'read'>, streamId: Uuid, from: Long): Promise<readonly StoredEvent[]> {
    this.#use(streamId);
    const view = this.#viewBefore(streamId) ?? (await this.#viewFrom(store, streamId, from));
    view.reader.base = this;
    if (from === 1 && !view.stored.some(({ messageType }) => this.#isSealed(messageType)))
      this.views.set(streamId, view);
    const all = [...view.stored, ...view.staged.map(({ asStored: event }) => event)];
    return from === 1 ? all : all.filter(({ streamPosition }) => streamPosition >= from);
  }

  /** The state of a decider after these units; undefined if it must be read. */
  heldBy(of: object, streamId: Uuid): unknown {
    const { decided } = this.#last(streamId) ?? {};
    if (decided?.of !== of || decided.streamId !== streamId) return undefined;
    this.#use(streamId);
    return decided.held;
  }

  #viewBefore(streamId: Uuid): StreamView | undefined {
    const last = this.#last(streamId);
    const view = last?.earlier instanceof StagedBase ? last.earlier.views.get(streamId) : undefined;
    if (last === undefined || view === undefined) return undefined;
    const known = view.staged.map(({ event }) => committedEvent(event, this.upcasters));
    const end = known.indexOf(undefined);
    const committed = known.slice(0, end === -1 ? known.length : end).filter((event) => event !== undefined);
    const stored = committed.length === 0 ? view.stored : [...view.stored, ...committed.map(frozen)];
    const staged = view.staged.slice(committed.length);
    return this.#withStaged({ ...view, stored, staged }, placedIn(streamId, last));
  }

  async #viewFrom(store: Pick<EventStore, 'read'>, streamId: Uuid, from: Long): Promise<StreamView> {
    const stored: StoredEvent[] = [];
    for await (const event of store.read(streamId, { from })) stored.push(frozen(event));
    // Some of the units may have been stored in the meantime.
    const end = stored.at(-1)?.streamPosition ?? from - 1;
    const staged = this.#staged(streamId).filter(({ position }) => position > end);
    return this.#withStaged({ stored, staged: [], reader: { base: this } }, staged);
  }

  #withStaged(view: StreamView, events: readonly PlacedEvent[]): StreamView {
    const guess = () => (view.reader.base.isGuessed = true);
    const more = events.map(({ event, position }) => ({
      event,
      asStored: frozen(asStored(event, position, this.upcasters, guess)),
    }));
    return { ...view, staged: [...view.staged, ...more] };
  }

  #use(streamId: Uuid): void {
    this.isUsed = true;
    const last = this.#last(streamId);
    if (last !== undefined && this.units.indexOf(last) < this.sent) this.isOld = true;
  }

  #last(streamId: Uuid): DecidedUnit | undefined {
    return this.units.findLast(({ events }) => events.some((event) => event.streamId === streamId));
  }

  #staged(streamId: Uuid): readonly PlacedEvent[] {
    return this.units.flatMap((unit) => placedIn(streamId, unit));
  }

  #isSealed(type: string): boolean {
    return this.upcasters.sealing?.has(type) === true;
  }
}

function placedIn(streamId: Uuid, { events, expected }: DecidedUnit): readonly PlacedEvent[] {
  const before = expected.get(streamId) ?? 0;
  return events
    .filter((event) => event.streamId === streamId)
    .map((event, index) => ({ event, position: before + index + 1 }));
}

/** Other commands read the same object. A receptor that changes it fails, and then runs alone. */
function frozen(event: StoredEvent): StoredEvent {
  freezePlain(event.payload);
  return Object.freeze(event);
}

/** A staged event as the store will return it. Reading a value that only the commit knows calls `guess`. */
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
  return upcasters.apply(event);
}
