import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { InboundMessage } from '../../contracts/transport.js';
import type { ChainHead } from '../audit/chain.js';

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
}

/** A record of another store's system stream, with its place in the chain there. */
export interface ReceivedRecord extends Received {
  /** The position of the event it tells about; 0 = none. */
  readonly originalPosition: Long;
  /** Its body was too large to travel. */
  readonly omitted: boolean;
  readonly digest: Buffer;
  readonly hash: Buffer;
  readonly recordedAt: Timestamp;
}

/** What became of a message: `refused` by the store itself, today and tomorrow. */
export type StoreResult =
  | 'stored'
  | 'duplicate'
  | 'place-taken'
  | 'in-the-future'
  | 'too-many-stores'
  | { readonly refused: unknown };

/** The lease has gone to another subscriber, and nothing was stored. */
export type LostLease = 'lost';

/** A message that cannot be taken, as it came. */
export interface ReceivedDeadLetter {
  readonly messageId: Uuid | undefined;
  readonly messageType: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly error: string;
  readonly fingerprint: string;
}

/** A dead letter that somebody wants taken again. */
export interface ReceivedReplay {
  readonly deadLetterId: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** How often it was handed out before, and nobody said what became of it. */
  readonly unanswered: number;
}

/** `known`: it is one already. `full`: too many of them wait for a decision, and this one was not kept. */
export type DeadLetterResult = 'kept' | 'known' | 'full';

export type InboxLease =
  | { readonly held: false; readonly remainingMs: number }
  | { readonly held: true; readonly replays: boolean };

/** What was received, as one subscriber sees it; only the one that holds the lease may change it, and keeps the lease by it. */
export interface Inbox {
  /** Takes the lease, or keeps it. */
  acquireLease(leaseMs: number): Promise<InboxLease>;
  /** In this order, all or none of it. */
  storeEvents(events: readonly ReceivedEvent[], leaseMs: number): Promise<readonly StoreResult[] | LostLease>;
  storeRecords(
    records: readonly ReceivedRecord[],
    leaseMs: number,
  ): Promise<readonly StoreResult[] | LostLease>;
  /** The newest head of another store's chain; `differs` from what we hold at its position. */
  storeHead(store: Uuid, head: ChainHead, leaseMs: number): Promise<'kept' | 'differs' | LostLease>;
  deadLetters(letters: readonly ReceivedDeadLetter[]): Promise<readonly DeadLetterResult[] | LostLease>;
  /** A message is about to be taken by itself; how many hosts have begun so and never ended it, this one included. */
  begin(message: Pick<InboundMessage, 'subject' | 'body'>): Promise<number | LostLease>;
  end(message: Pick<InboundMessage, 'subject' | 'body'>): Promise<void>;
  /** Makes a store known, however many there are already. */
  admit(store: Uuid, leaseMs: number): Promise<void | LostLease>;
  /** The oldest of those that are to be taken again. */
  replays(): Promise<ReceivedReplay[]>;
  replayed(replays: readonly ReceivedReplay[]): Promise<void>;
  release(): Promise<void>;
}
