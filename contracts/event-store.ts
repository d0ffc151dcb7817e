import type { EventOrigin } from './event-origin.js';
import { type Envelope, type MessageClass, typeNameOf } from './message.js';
import type { Long, Timestamp, Uuid } from './scalars.js';

/** Sent along with a record of the system stream, so that a receiver can verify the chain of its store. */
export interface ChainLink {
  /** Hexadecimal. */
  readonly hash: string;
  /** The digest of the stored record, in hexadecimal. */
  readonly digest: string;
  /** The position that reading merged into the payload. */
  readonly originalPosition?: Long;
  /** The stored metadata, where it cannot be restored from the envelope. */
  readonly metadata?: string;
}

/**
 * An envelope with the positions that the store assigned. Positions start at 1.
 *
 * @example
 * ```ts
 * apply = (row: Row | undefined, { payload, occurredAt }: StoredEvent<OrderCreated>): Row =>
 *   ({ total: payload.total, createdAt: occurredAt });
 * ```
 */
export interface StoredEvent<TPayload = unknown> extends Envelope<TPayload> {
  readonly streamId: Uuid;
  readonly streamPosition: Long;
  readonly globalPosition: Long;
  readonly occurredAt: Timestamp;
  readonly recordedAt: Timestamp;
  /** The fields whose values were encrypted when it was stored. */
  readonly sealed?: readonly string[];
  /** Set only on messages that carry a system record. */
  readonly chain?: ChainLink;
}

/**
 * Whether a stored event is of this class; stored events are plain data, so the name decides.
 *
 * @example
 * ```ts
 * if (isEventOf(event, OrderPaid))
 *   paid = Decimals.add(paid, event.payload.total);
 * ```
 */
export const isEventOf = <T>(event: StoredEvent, type: MessageClass<T>): event is StoredEvent<T> =>
  event.messageType === typeNameOf(type);

/** The position at which a stream must be; 0 means that it must not exist yet. */
export type ExpectedPosition = Long | 'any';

/** How events are appended to a stream. */
export interface AppendOptions {
  /** Default: the position at which this unit of work has read the stream, if it has. */
  readonly expectedPosition?: ExpectedPosition;
  /** When it happened, for imports; defaults to the time of recording. */
  readonly occurredAt?: Timestamp;
}

export interface Appended {
  readonly positions: readonly Long[];
  readonly globalPositions: readonly Long[];
}

export interface ReadRange {
  readonly from?: Long;
  readonly to?: Long;
  /**
   * Whose events: by default those of the own store, by position. Events of several stores come in the order in which
   * they happened; each store counts its own positions.
   */
  readonly origin?: EventOrigin;
  /** Ends the wait for a connection. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadAll {
  /** Exclusive: 0 reads from the beginning. */
  readonly after: Long;
  readonly limit?: number;
  readonly types?: readonly string[];
}

/**
 * Streams of envelopes. Global order is commit order: a reader that has seen position n never misses one below it.
 *
 * @example
 * ```ts
 * const { positions } = await eventStore.append(orderId, [envelope], { expectedPosition: 0 });
 * for await (const event of eventStore.readAll({ after: 0 })) count(event);
 * ```
 */
export interface EventStore {
  /** Set by a store that stores an audit with each event that the audit mode covers. */
  readonly auditsAppends?: boolean;
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
