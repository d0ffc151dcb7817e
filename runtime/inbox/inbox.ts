import { Problem } from '../../contracts/problems.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { InboundMessage } from '../../contracts/transport.js';
import type { ChainHead } from '../audit/chain.js';
import type { KeyRotation } from '../trust/key-rotation.js';
import type { SignedHead } from '../trust/signed-head.js';
import type { EncodedRecord } from '../store/encode-unit.js';
import type { MessageEpoch } from '../trust/epoch-headers.js';

interface Received {
  readonly store: Uuid;
  readonly streamPosition: Long;
  readonly id: Uuid;
  readonly type: string;
  /** JSON text, as it is stored. */
  readonly data: string;
  readonly metadata: string;
  readonly host: string;
}

/** A domain event of another store. */
export interface ReceivedEvent extends Received {
  readonly streamId: Uuid;
  readonly occurredAt: Timestamp;
  /** By the clock of its store. */
  readonly recordedAt: Timestamp;
  /** Its audit here; undefined: it is not audited. */
  readonly audit?: EncodedRecord | undefined;
}

/** A record of another store's system stream, with its position in the chain there. */
export interface ReceivedRecord extends Received {
  /** The position of the event it is about; 0 = none. */
  readonly originalPosition: Long;
  /** Its body was too large to send. */
  readonly omitted: boolean;
  readonly digest: Buffer;
  readonly hash: Buffer;
  readonly recordedAt: Timestamp;
  /** In its store. */
  readonly globalPosition: Long;
}

/** The result for one message; `refused` by the server means that a retry would not help. */
export type StoreResult =
  | 'stored'
  | 'duplicate'
  | 'place-taken'
  | 'in-the-future'
  | 'too-many-stores'
  | { readonly refused: unknown };

/** Messages of one store and epoch, as they came one after another, or what a head says about its store. */
export interface EpochGroup extends MessageEpoch {
  readonly store: Uuid;
  /** The newest of them; 0 for a head. */
  readonly position: Long;
  /** Set: this key has signed the epoch, and that the log was published so far. */
  readonly signed?: { readonly publicKey: string; readonly publishedTo: Long } | undefined;
}

/**
 * `held`: we hold events that their store has lost; `fresh` when that has just come to light. `earlier`: of an earlier
 * epoch; what lies beyond the fork is lost there. `unknown`: nothing was received from this store before, or it is signed
 * and the key of its store is not known yet.
 */
export type EpochResult =
  | { readonly is: 'current' | 'unknown' }
  | { readonly is: 'held'; readonly fork: Long; readonly heldTo: Long; readonly isFresh: boolean }
  | { readonly is: 'earlier'; readonly fork: Long };

/** Another subscriber holds the lease, and nothing was stored. */
export class LeaseLost extends Problem {
  constructor() {
    super('store-unavailable', { detail: 'Another subscriber of this store has taken over.' });
  }
}

/** A message that cannot be accepted, as received. */
export interface ReceivedDeadLetter {
  readonly messageId: Uuid | undefined;
  readonly messageType: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly error: string;
  readonly fingerprint: string;
  /** According to the message, if it can be read. */
  readonly tenant?: string | undefined;
  /** Set: the store that it names need not have sent it; few of each such kind are kept. */
  readonly doubt?: string | undefined;
}

/** A dead letter that is to be handled again. */
export interface ReceivedReplay {
  readonly deadLetterId: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** How often it was handed out before without an answer. */
  readonly unanswered: number;
}

/** A head that another store announced. */
export interface ReceivedHead extends ChainHead {
  /** `invalid`: its store has not signed it. */
  readonly proof: SignedHead | 'invalid';
}

/**
 * `differs`: we hold another hash at its position. `older`: we know a later one. `contradicts`: its store has signed
 * something else before. `forged`: not signed by its store. `unknown`: nothing else was received from its store. The last
 * four are not taken over.
 */
export type HeadResult = 'kept' | 'differs' | 'older' | 'contradicts' | 'forged' | 'unknown';

/**
 * `known`: it was already a dead letter. `full`: too many wait for a decision, and this one was not kept. `dropped`: it is
 * doubtful, and enough of its kind are kept.
 */
export type DeadLetterResult = 'kept' | 'known' | 'full' | 'dropped';

export type InboxLease =
  | { readonly held: false; readonly remainingMs: number }
  | {
      readonly held: true;
      readonly remainingMs: number;
      readonly hasReplays: boolean;
      /** Another number than before: messages that were passed over are to be read again. */
      readonly rereads: number;
      /** When the broker created the streams that were read, as far as it is known. */
      readonly streams: Readonly<Partial<Record<BrokerStream, string>>>;
    };

/** A stream of the broker, by what it holds. */
export type BrokerStream = 'events' | 'system';

/** A store that is not new to us. */
export interface KnownStore {
  /** False: an operator has forgotten it. */
  readonly isTrusted: boolean;
  /** It was noted in the last minute that it sends. */
  readonly isRecent: boolean;
  /** Hexadecimal; undefined: it has signed nothing yet. */
  readonly publicKey?: string | undefined;
  /** The keys that it replaced, with the last position that each signs. */
  readonly earlierKeys?: ReadonlyMap<string, Long> | undefined;
  /** It has signed messages one by one. */
  readonly signs: boolean;
}

/**
 * The received messages of one subscriber. Only the holder of the lease may change them: a change by another one throws
 * `LeaseLost`, and every change renews the lease.
 */
export interface Inbox {
  /** Acquires the lease, or renews it. */
  acquireLease(leaseMs: number): Promise<InboxLease>;
  /** In this order, all or nothing. */
  storeEvents(events: readonly ReceivedEvent[], leaseMs: number): Promise<readonly StoreResult[]>;
  storeRecords(records: readonly ReceivedRecord[], leaseMs: number): Promise<readonly StoreResult[]>;
  /** Compares the epochs of messages with those received before. */
  noteEpochs(groups: readonly EpochGroup[]): Promise<readonly EpochResult[]>;
  /** Keeps the newest head of another store's chain, and those that prove what it was. */
  storeHead(store: Uuid, head: ReceivedHead, leaseMs: number): Promise<HeadResult>;
  storeDeadLetters(letters: readonly ReceivedDeadLetter[]): Promise<readonly DeadLetterResult[]>;
  /** Notes that a message is about to be handled alone; returns how many hosts began it and never finished, this one included. */
  beginAttempt(message: Pick<InboundMessage, 'subject' | 'body'>): Promise<number>;
  endAttempt(message: Pick<InboundMessage, 'subject' | 'body'>): Promise<void>;
  /** Those of these stores that we know. */
  knownStores(stores: readonly Uuid[]): Promise<ReadonlyMap<Uuid, KnownStore>>;
  /** Notes how many messages these stores sent; unless it `pins`, one that is not known waits. Returns the new ones. */
  meetStores(messages: ReadonlyMap<Uuid, number>, pins: boolean, leaseMs: number): Promise<readonly Uuid[]>;
  /** Notes that a store signs messages with this key; false: it is known by another key, or was known by this one. */
  pinKey(store: Uuid, publicKey: string, leaseMs: number): Promise<boolean>;
  /** Follows a store to its new key; false: it is not known, or by a key that these rotations do not replace. */
  followKeys(store: Uuid, rotations: readonly KeyRotation[], leaseMs: number): Promise<boolean>;
  /** Accepts a store, however many are known already. */
  admitStore(store: Uuid, leaseMs: number): Promise<void>;
  /** The oldest dead letters that are to be handled again. */
  pendingReplays(): Promise<ReceivedReplay[]>;
  markReplayed(replays: readonly ReceivedReplay[]): Promise<void>;
  /** Notes when the broker created a stream: one that was created again has lost messages. */
  noteStream(stream: BrokerStream, created: string): Promise<void>;
}
