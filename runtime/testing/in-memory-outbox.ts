import type { StoredEvent } from '../../contracts/event-store.js';
import type { OutboundMessage, Publisher } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import type { LeaseInMemory } from './leases.js';
import type { Outbox, PendingMessage, Rejection, Replay, OutboxLease } from '../outbox/outbox.js';

/** The outbox of a log in memory, with the cursor and the lease that relays share. */
export class InMemoryOutbox implements LeaseInMemory {
  cursor = 0;
  leaseRequests = 0;
  owner: string | undefined;
  leaseUntil = 0;
  readonly messages: PendingMessage[] = [];
  /** When each is due again, by the clock of this process. */
  readonly failures = new Map<number, { attempts: number; error: string; nextAt?: number }>();
  /** Positions from the first to the last were imported, and are not published. */
  imported: readonly [first: number, last: number] = [Infinity, 0];
  readonly dead = new Map<number, Rejection>();
  readonly replaying = new Set<number>();
  /** The calls to the log, in order. */
  readonly calls: string[] = [];
  /** Thrown by every call when set. */
  failure: Error | undefined;

  append(streamId: string, count = 1): void {
    for (let n = 0; n < count; n++) {
      const position = this.messages.length + 1;
      const streamPosition =
        this.messages.filter(({ envelope }) => envelope.streamId === streamId).length + 1;
      this.messages.push(pendingAt(position, streamId, streamPosition));
    }
  }

  heldBy(owner: string): Outbox {
    const ask = <T>(name: string, answer: () => T): Promise<T> => {
      this.calls.push(name);
      return this.failure === undefined ? Promise.resolve().then(answer) : Promise.reject(this.failure);
    };
    const holds = () => this.owner === owner;
    const [first, last] = this.imported;
    return {
      acquireLease: (leaseMs) => ask('acquireLease', () => this.#acquireLease(owner, leaseMs)),
      page: (from, to) =>
        ask('page', () =>
          this.messages
            .filter(({ position }) => position > from && position <= to && !this.dead.has(position))
            .filter(({ position }) => !(position >= first && position <= last))
            .map((message) => {
              const { attempts = 0, nextAt = 0 } = this.failures.get(message.position) ?? {};
              return { ...message, attempts, dueInMs: Math.max(0, nextAt - performance.now()) };
            }),
        ),
      importedTo: (from) => ask('importedTo', () => (first <= from + 1 && last > from ? last : from)),
      advance: (from, to, leaseMs) =>
        ask('advance', () => {
          if (!holds() || this.cursor !== from || to < from) return false;
          this.cursor = to;
          this.leaseUntil = performance.now() + leaseMs;
          for (const position of this.failures.keys()) if (position <= to) this.failures.delete(position);
          return true;
        }),
      recordRejection: ({ position }, { error }, retryInMs) =>
        ask('recordRejection', () => {
          if (!holds() || this.dead.has(position)) return false;
          const attempts = 1 + (this.failures.get(position)?.attempts ?? 0);
          this.failures.set(position, { attempts, error, nextAt: performance.now() + retryInMs });
          return true;
        }),
      deadLetter: ({ position }, rejection) =>
        ask('deadLetter', () => {
          if (!holds()) return false;
          this.replaying.delete(position);
          this.failures.delete(position);
          return this.dead.set(position, rejection) !== undefined;
        }),
      pendingReplays: () => ask('pendingReplays', () => this.#replays()),
      markReplayed: ({ position }) =>
        ask('markReplayed', () => this.replaying.delete(position) && this.dead.delete(position)),
    };
  }

  #acquireLease(owner: string, leaseMs: number): OutboxLease {
    const now = performance.now();
    if (this.owner !== owner && !isOver(this.leaseUntil - now, leaseMs)) {
      return { held: false, remainingMs: this.leaseUntil - now };
    }
    this.owner = owner;
    this.leaseUntil = now + leaseMs;
    const head = this.messages.length;
    const hasReplays = this.replaying.size > 0;
    return { held: true, remainingMs: leaseMs, position: this.cursor, head, hasReplays };
  }

  #replays(): Replay[] {
    return this.messages
      .filter(({ position }) => this.replaying.has(position))
      .map((message) => ({
        ...message,
        attempts: this.dead.get(message.position)?.attempts ?? 0,
        deadLetterId: String(message.position),
      }));
  }
}

/** One that would last far longer than any is given was taken before the clock was set back. */
const isOver = (leftMs: number, leaseMs: number): boolean =>
  leftMs <= 0 || leftMs > Math.max(2 * leaseMs, 40_000);

function pendingAt(position: number, streamId: string, streamPosition = 1): PendingMessage {
  const at = '2026-01-01T00:00:00.000000Z';
  const envelope: StoredEvent = {
    messageId: newUuid(),
    messageType: 'Baked',
    payload: {},
    streamId,
    streamPosition,
    globalPosition: position,
    timestamp: at,
    occurredAt: at,
    recordedAt: at,
    v: 1,
  };
  return {
    id: envelope.messageId,
    destination: 'svc.events.Baked',
    envelope,
    position,
    attempts: 0,
    dueInMs: 0,
  };
}

/** Keeps what it is given, unless `answer` throws. */
export class RecordingTransport implements Publisher {
  readonly taken: OutboundMessage[] = [];

  constructor(
    private readonly answer: (message: OutboundMessage) => void | Promise<void> = () => undefined,
  ) {}

  async publish(message: OutboundMessage): Promise<void> {
    await this.answer(message);
    this.taken.push(message);
  }

  /** The connection to the broker, independent of its answers to messages. */
  ping(): Promise<void> {
    return Promise.resolve();
  }

  /** Stream positions in order of arrival, by stream. */
  get byStream(): ReadonlyMap<string, number[]> {
    const streams = new Map<string, number[]>();
    for (const { envelope } of this.taken) {
      const { streamId, streamPosition } = envelope;
      streams.set(streamId, [...(streams.get(streamId) ?? []), streamPosition]);
    }
    return streams;
  }
}

export const everything = { shouldPublishToTransport: () => true, shouldReceiveFromTransport: () => true };
