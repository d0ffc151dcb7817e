import type { EffectStore } from '../../contracts/effect-store.js';
import { randomBytes } from 'node:crypto';
import type { EventOrigin } from '../../contracts/event-origin.js';
import type {
  Appended,
  AppendOptions,
  ReadAll,
  ReadRange,
  StoredEvent,
} from '../../contracts/event-store.js';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { ReactionStore } from '../../contracts/reaction-store.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { SealedMessage } from '../../contracts/sealing.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { KeyedOutcome, Unit, UnitStore } from '../../contracts/unit-store.js';
import { Upcasters } from '../../contracts/upcaster.js';
import type { Row } from '../database/database.js';
import { appendedBy, appendUnit } from '../unit/append-unit.js';
import { type EncodedEvent, type EncodedUnit, encodeUnit } from '../store/encode-unit.js';
import { reservationKey } from '../reservations/reservation-key.js';
import { sealUnit } from '../store/seal-unit.js';
import { SubjectSealing } from '../subjects/subject-sealing.js';
import type { InMemoryEffects } from './in-memory-effects.js';
import { InMemoryLists } from './in-memory-lists.js';
import { InMemorySubjectKeys } from './in-memory-subject-keys.js';
import { openEvents } from '../store/open-events.js';
import { timestampOf } from '../store/stored-rows.js';

export interface InMemoryStoreOptions {
  /** Milliseconds since 1970; default: the system clock. */
  readonly now?: () => number;
  readonly host?: string;
  readonly upcasters?: Upcasters;
  /** The `sealed` of a registry: these events are encrypted with keys that are lost with the process. */
  readonly sealed?: readonly SealedMessage[];
}

interface Entry {
  readonly streamId: Uuid;
  readonly position: Long;
  readonly globalPosition: Long;
  readonly type: string;
  readonly data: string;
  readonly row: Row;
  readonly occurredAt: number;
  /** Of a received event. */
  readonly store: Uuid | undefined;
}

type NewEvent = Omit<EncodedEvent, 'streamId' | 'occurredAt'>;

interface KeptOutcome extends KeyedOutcome {
  readonly expiresAt: number;
}

const outcomesKeptMs = 24 * 60 * 60_000;

/** Decides like the commit procedure in PostgreSQL, one unit at a time; everything is lost with the process. */
export class InMemoryEventStore implements UnitStore {
  readonly upcasters: Upcasters;
  /** What runners of reactions, processes and timers read. */
  readonly reactions: ReactionStore;
  /** What runs effects claims them here. */
  readonly effects: EffectStore & Pick<InMemoryEffects, 'requests' | 'of'>;
  readonly #lists = new InMemoryLists(
    () => this.#time(),
    () => this.#log.length,
    (record) => this.commit({ events: [], records: [record], expected: new Map() }),
  );
  /** In commit order: the entry at index n has the global position n + 1. */
  readonly #log: Entry[] = [];
  readonly #streams = new Map<Uuid, Entry[]>();
  readonly #received: Entry[] = [];
  /** The stores of received events, by their origins: 1, 2, … */
  readonly #stores: Uuid[] = [];
  readonly #events = new Map<Uuid, Entry>();
  readonly #records = new Set<Uuid>();
  readonly #outcomes = new Map<string, KeptOutcome>();
  readonly #now: () => number;
  readonly #host: string;
  readonly reservationKey = reservationKey(randomBytes(32));
  readonly #keys = new InMemorySubjectKeys();
  #lastTime = Number.NEGATIVE_INFINITY;

  constructor({ now = Date.now, host = 'memory', upcasters, sealed = [] }: InMemoryStoreOptions = {}) {
    this.upcasters = upcasters ?? new Upcasters();
    if (sealed.length > 0) this.upcasters.sealing = new SubjectSealing(sealed, this.#keys);
    this.reactions = this.#lists;
    this.effects = this.#lists.effects;
    this.#now = now;
    this.#host = host;
  }

  async append(
    streamId: Uuid,
    envelopes: Envelope | readonly Envelope[],
    options: AppendOptions = {},
    signal?: AbortSignal,
  ): Promise<Appended> {
    const unit = appendUnit(streamId, envelopes, options);
    await this.commit(unit, signal);
    return appendedBy(unit);
  }

  async commit(unit: Unit, signal?: AbortSignal): Promise<void> {
    const { sealing } = this.upcasters;
    const sealed = sealing === undefined ? { unit, events: undefined } : await sealUnit(unit, sealing);
    const encoded = encodeUnit(sealed.unit, this.#now(), sealed.events);
    signal?.throwIfAborted();
    const { entries, isNew } = this.#decide(encoded);
    const recordedAt = isNew ? timestampOf(timeText(this.#lastTime)) : null;
    for (const record of unit.records) record.recordedAt = recordedAt;
    unit.events.forEach((event, index) => {
      event.position = entries[index]?.position ?? 0;
      event.globalPosition = entries[index]?.globalPosition ?? 0;
      event.recordedAt = recordedAt;
      event.host = this.#host;
    });
  }

  /** Stores an event of another store, as it is received over the broker. */
  receive(
    streamId: Uuid,
    envelope: Envelope,
    store: Uuid,
    options: Pick<AppendOptions, 'occurredAt'> = {},
  ): void {
    const { events } = encodeUnit(appendUnit(streamId, envelope, options), this.#now());
    if (!this.#stores.includes(store)) this.#stores.push(store);
    for (const event of events) {
      const time = (this.#lastTime = this.#time());
      const before = this.#received.filter(
        (entry) => entry.store === store && entry.streamId === event.streamId,
      );
      const at = { streamId: event.streamId, position: before.length + 1, store };
      this.#received.push(this.#push(at, event, [event.occurredAt ?? time, time], null));
    }
  }

  async *read(
    streamId: Uuid,
    { from = 1, to = Infinity, origin = 'own' }: ReadRange = {},
  ): AsyncIterable<StoredEvent> {
    const stream = this.#entriesOf(streamId.toLowerCase(), origin);
    yield* this.#readable(stream.filter(({ position }) => position >= from && position <= to));
  }

  async *readAll({ after, limit = Infinity, types }: ReadAll): AsyncIterable<StoredEvent> {
    const wanted = this.#log.slice(Math.max(0, after)).filter(({ type }) => types?.includes(type) ?? true);
    yield* this.#readable(wanted.slice(0, Math.max(0, limit)));
  }

  async *#readable(entries: readonly Entry[]): AsyncIterable<StoredEvent> {
    const rows = entries.map(({ row }) => row);
    const storeOf = (origin: string): Uuid | undefined => this.#stores[Number(origin) - 1];
    for (const event of await openEvents(rows, this.upcasters, storeOf)) yield this.upcasters.apply(event);
  }

  async lastPosition(streamId: Uuid): Promise<Long> {
    return this.#heightOf(streamId.toLowerCase());
  }

  /** Destroys the key of a subject, as `svc subjects forget` does. */
  forget(subject: string): void {
    this.#keys.forget(subject);
  }

  /** The stored response for this key, as long as it is kept. */
  outcomeOf(key: Uint8Array): KeyedOutcome | undefined {
    const outcome = this.#outcomes.get(nameOf(key));
    return outcome !== undefined && outcome.expiresAt > this.#time() ? outcome : undefined;
  }

  /** The entries of the unit's events, new or already stored; throws when the unit is rejected. */
  #decide(unit: EncodedUnit): { readonly entries: readonly Entry[]; readonly isNew: boolean } {
    if (unit.outcome !== undefined && this.outcomeOf(unit.outcome.key) !== undefined)
      throw new Problem('duplicate-in-flight');
    const stored = unit.events.flatMap(({ id }) => this.#events.get(id) ?? []);
    if (stored.length > 0) {
      if (isSame(unit.events, stored)) return { entries: stored, isNew: false };
      throw conflict('An event with this id is already stored.');
    }
    mustNotBe(unit.lists && this.#lists.refusalBefore(unit.lists));
    for (const [streamId, position] of unit.expected) {
      if (position !== this.#domainHeightOf(streamId)) throw conflict(`Expected ${streamId} at ${position}.`);
    }
    mustNotBe(unit.lists && this.#lists.refusalAfter(unit.lists));
    if (unit.records.some(({ id }) => this.#records.has(id)))
      throw conflict('A record with this id is already stored.');
    return { entries: this.#store(unit), isNew: true };
  }

  #store({ events, records, outcome, lists }: EncodedUnit): readonly Entry[] {
    const time = (this.#lastTime = this.#time());
    const stored = events.map((event) => {
      const entry = this.#add(event.streamId, event, [event.occurredAt ?? time, time], null);
      this.#events.set(event.id, entry);
      return entry;
    });
    for (const record of records) {
      const original = stored[record.of - 1]?.position ?? null;
      this.#add(SystemEventStreams.streamId, record, [time, time], original);
      this.#records.add(record.id);
    }
    if (outcome !== undefined)
      this.#outcomes.set(nameOf(outcome.key), { ...outcome, expiresAt: time + outcomesKeptMs });
    if (lists !== undefined) this.#lists.store(lists, time);
    return stored;
  }

  #add(streamId: Uuid, event: NewEvent, times: readonly [number, number], original: Long | null): Entry {
    const at = { streamId, position: this.#heightOf(streamId) + 1, store: undefined };
    const entry = this.#push(at, event, times, original);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) this.#streams.set(streamId, [entry]);
    else stream.push(entry);
    return entry;
  }

  #push(
    at: Pick<Entry, 'streamId' | 'position' | 'store'>,
    { id, type, data, metadata }: NewEvent,
    [occurred, recorded]: readonly [number, number],
    original: Long | null,
  ): Entry {
    const globalPosition = this.#log.length + 1;
    const positions = [String(globalPosition), at.streamId, String(at.position)];
    const times = [timeText(occurred), timeText(recorded)];
    const origin = at.store === undefined ? 0 : this.#stores.indexOf(at.store) + 1;
    const rest = [original && String(original), String(origin)];
    const row = [...positions, id, type, data, metadata, this.#host, ...times, ...rest];
    const entry = { ...at, globalPosition, type, data, row, occurredAt: occurred };
    this.#log.push(entry);
    return entry;
  }

  #entriesOf(streamId: Uuid, origin: EventOrigin): readonly Entry[] {
    const own = origin === 'others' ? [] : (this.#streams.get(streamId) ?? []);
    if (origin === 'own') return own;
    const received = this.#received.filter((entry) => entry.streamId === streamId);
    return [...own, ...received].toSorted((one, other) => one.occurredAt - other.occurredAt);
  }

  #heightOf(streamId: Uuid): Long {
    return this.#streams.get(streamId)?.length ?? 0;
  }

  /** As in PostgreSQL, expected positions are compared with streams of domain events only. */
  #domainHeightOf(streamId: Uuid): Long {
    return streamId === SystemEventStreams.streamId ? 0 : this.#heightOf(streamId);
  }

  /** Recorded time never decreases, whatever the clock does. */
  #time(): number {
    return Math.max(this.#now(), this.#lastTime);
  }
}

const isSame = (events: readonly EncodedEvent[], stored: readonly Entry[]): boolean =>
  events.every((event, index) => {
    const entry = stored[index];
    return entry?.streamId === event.streamId && entry.data === event.data;
  });

function mustNotBe(refusal: Problem | undefined): void {
  if (refusal !== undefined) throw refusal;
}

const conflict = (detail: string): Problem => new Problem('stream-conflict', { detail });

const nameOf = (key: Uint8Array): string => Buffer.from(key).toString('hex');

/** As PostgreSQL writes a timestamptz in UTC. */
const timeText = (time: number): string => new Date(time).toISOString().replace('T', ' ').replace('Z', '+00');
