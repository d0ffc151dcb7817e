import type { Uuid } from '../../contracts/scalars.js';
import type { LeaseInMemory } from './leases.js';
import {
  type BrokerStream,
  type Inbox,
  type InboxLease,
  type StoreResult,
  type DeadLetterResult,
  type EpochGroup,
  type EpochResult,
  LeaseLost,
  type ReceivedDeadLetter,
  type HeadResult,
  type ReceivedEvent,
  type ReceivedHead,
  type ReceivedRecord,
  type ReceivedReplay,
} from '../inbox/inbox.js';

type Received = ReceivedEvent | ReceivedRecord;

/** The received messages of a store, with the lease that its subscribers share. */
export class InMemoryInbox implements LeaseInMemory {
  owner: string | undefined;
  leaseUntil = 0;
  readonly received: Received[] = [];
  readonly heads = new Map<Uuid, ReceivedHead>();
  readonly dead: ReceivedDeadLetter[] = [];
  replaying: ReceivedReplay[] = [];
  /** The hosts that began to handle a message alone. */
  readonly attempts = new Map<string, string[]>();
  /** The limit of dead letters. */
  room = 10_000;
  /** Thrown by every call when set. */
  failure: Error | undefined;
  /** What is found about the epoch of messages. */
  epochs: (group: EpochGroup) => EpochResult = () => ({ is: 'current' });
  leaseRequests = 0;
  readonly streams: Partial<Record<BrokerStream, string>> = {};

  heldBy(owner: string): Inbox {
    const ask = <T>(answer: () => T): Promise<T> =>
      this.failure === undefined ? Promise.resolve().then(answer) : Promise.reject(this.failure);
    const held = <T>(answer: () => T): Promise<T> =>
      ask(() => {
        if (this.owner !== owner) throw new LeaseLost();
        return answer();
      });
    return {
      acquireLease: (leaseMs) => ask(() => this.#acquireLease(owner, leaseMs)),
      storeEvents: (events) => held(() => events.map((event) => this.#store(event))),
      storeRecords: (records) => held(() => records.map((record) => this.#store(record))),
      noteEpochs: (groups) => held(() => groups.map((group) => this.epochs(group))),
      storeHead: (store, head) => held(() => this.#storeHead(store, head)),
      storeDeadLetters: (letters) => held(() => letters.map((letter) => this.#addDeadLetter(letter))),
      beginAttempt: ({ body }) => held(() => this.#begin(Buffer.from(body).toString('hex'), owner)),
      endAttempt: ({ body }) => ask(() => void this.attempts.delete(Buffer.from(body).toString('hex'))),
      knownStores: (stores) =>
        ask(() => new Map(stores.map((store) => [store, { isTrusted: true, isRecent: true, signs: false }]))),
      meetStores: () => held(() => []),
      pinKey: () => held(() => false),
      followKeys: () => held(() => false),
      admitStore: () => held(() => undefined),
      pendingReplays: () => ask(() => this.replaying),
      markReplayed: (replays) =>
        ask(() => void (this.replaying = this.replaying.filter((one) => !replays.includes(one)))),
      noteStream: (stream, created) => ask(() => void (this.streams[stream] = created)),
    };
  }

  #acquireLease(owner: string, leaseMs: number): InboxLease {
    this.leaseRequests++;
    const now = performance.now();
    if (this.owner !== undefined && this.owner !== owner && this.leaseUntil > now)
      return { held: false, remainingMs: Math.ceil(this.leaseUntil - now) };
    this.owner = owner;
    this.leaseUntil = now + leaseMs;
    const hasReplays = this.replaying.length > 0;
    return { held: true, remainingMs: leaseMs, hasReplays, rereads: 0, streams: { ...this.streams } };
  }

  #store(message: Received): StoreResult {
    const found = this.received.find((one) => positionKeyOf(one) === positionKeyOf(message));
    if (found === undefined) return this.received.push(message) > 0 ? 'stored' : 'duplicate';
    return found.id === message.id && found.data === message.data ? 'duplicate' : 'place-taken';
  }

  #storeHead(store: Uuid, head: ReceivedHead): HeadResult {
    if (head.proof === 'invalid') return 'forged';
    this.heads.set(store, head);
    const found = this.received.find((one) => one.store === store && one.streamPosition === head.position);
    return found !== undefined && 'hash' in found && found.hash.toString('hex') !== head.hash
      ? 'differs'
      : 'kept';
  }

  #begin(message: string, owner: string): number {
    const owners = this.attempts.get(message) ?? [];
    const now = owners.at(-1) === owner ? owners : [...owners, owner];
    this.attempts.set(message, now);
    return now.length;
  }

  #addDeadLetter(letter: ReceivedDeadLetter): DeadLetterResult {
    const isKnown = this.dead.some(
      ({ subject, body }) => subject === letter.subject && Buffer.compare(body, letter.body) === 0,
    );
    if (!isKnown && this.dead.length >= this.room) return letter.doubt === undefined ? 'full' : 'dropped';
    if (!isKnown) this.dead.push(letter);
    return isKnown ? 'known' : 'kept';
  }
}

const positionKeyOf = (message: Received): string =>
  [message.store, 'streamId' in message ? message.streamId : '', message.streamPosition].join(' ');
