import { type Envelope, type MessageClass, typeNameOf } from './message.js';
import type { Long, Timestamp, Uuid } from './scalars.js';

/** What a record of the system stream takes along, so that whoever receives it can verify the chain of its store. */
export interface ChainLink {
  /** Hexadecimal. */
  readonly hash: string;
  /** Of the type and the stored text; hexadecimal. */
  readonly digest: string;
  /** The position that was merged into the payload when the record was read. */
  readonly originalPosition?: Long;
}

/** An envelope with the place the store gave it. Positions start at 1. */
export interface StoredEvent<TPayload = unknown> extends Envelope<TPayload> {
  readonly streamId: Uuid;
  readonly streamPosition: Long;
  readonly globalPosition: Long;
  readonly occurredAt: Timestamp;
  readonly recordedAt: Timestamp;
  /** On messages that carry a system record, and nowhere else. */
  readonly chain?: ChainLink;
}

/** Whether a stored event is one of this class: what is stored is plain data and has only the name of its class. */
export const isEventOf = <T>(event: StoredEvent, type: MessageClass<T>): event is StoredEvent<T> =>
  event.messageType === typeNameOf(type);

/** The position a stream must have; 0 means that it must be new. */
export type ExpectedPosition = Long | 'any';

export interface AppendOptions {
  readonly expectedPosition?: ExpectedPosition;
  /** When it happened, for imports; otherwise the time it is recorded. */
  readonly occurredAt?: Timestamp;
}

export interface Appended {
  readonly positions: readonly Long[];
  readonly globalPositions: readonly Long[];
}

export interface ReadRange {
  readonly from?: Long;
  readonly to?: Long;
}

export interface ReadAll {
  /** Exclusive: 0 reads from the beginning. */
  readonly after: Long;
  readonly limit?: number;
  readonly types?: readonly string[];
}

/** Streams of envelopes; global order is commit order, so a reader that has seen position n never misses one below it. */
export interface EventStore {
  append(
    streamId: Uuid,
    envelopes: Envelope | readonly Envelope[],
    options?: AppendOptions,
    signal?: AbortSignal,
  ): Promise<Appended>;
  read(streamId: Uuid, range?: ReadRange): AsyncIterable<StoredEvent>;
  readAll(query: ReadAll): AsyncIterable<StoredEvent>;
  lastPosition(streamId: Uuid): Promise<Long>;
}
