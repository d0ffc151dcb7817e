import { AuditTopic } from '../../contracts/audit.js';
import type {
  Appended,
  AppendOptions,
  EventStore,
  ReadAll,
  ReadRange,
  StoredEvent,
} from '../../contracts/event-store.js';
import { EventAudited } from '../../contracts/events/audited.js';
import type { Envelope, Properties } from '../../contracts/message.js';
import type { DeferredOutbox } from '../../contracts/deferred-outbox.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { StagedRecord, Unit, UnitStore } from '../../contracts/unit-store.js';
import { nowText } from '../lang/now-text.js';
import { appendedBy, appendUnit } from '../unit/append-unit.js';
import { Auditing } from './auditing.js';
import { mustBeValid } from './system-record.js';

/**
 * Appends first, then queues an EventAudited for every event that the audit mode covers. Over a unit store both are
 * one unit, so neither is ever stored without the other, and the outbox gets what is stored.
 */
export class AuditingEventStore implements EventStore {
  readonly auditsAppends = true;

  constructor(
    readonly inner: EventStore,
    private readonly outbox: DeferredOutbox,
    options: SystemEventOptions,
    private readonly auditing: Auditing = new Auditing(options),
    /** Called with the audits once they are stored. */
    private readonly committed: (records: readonly StagedRecord[]) => void = () => undefined,
  ) {
    // The appends of handlers bypass the decorator; their audits must not be lost.
    auditing.coverAppends();
  }

  async append(
    streamId: Uuid,
    envelopes: Envelope | readonly Envelope[],
    options: AppendOptions = {},
    signal?: AbortSignal,
  ): Promise<Appended> {
    const list = Array.isArray(envelopes) ? (envelopes as readonly Envelope[]) : [envelopes as Envelope];
    if (isUnitStore(this.inner)) return this.#appendAsUnit(this.inner, streamId, list, options, signal);
    const appended = await this.inner.append(streamId, envelopes, options, signal);
    for (const [index, envelope] of list.entries()) {
      const position = appended.positions[index] ?? 0;
      const record = this.auditing.recordOfStored(streamId, position, envelope, nowText());
      if (record !== undefined) await this.outbox.queue(AuditTopic, record.envelope);
    }
    return appended;
  }

  read(streamId: Uuid, range?: ReadRange): AsyncIterable<StoredEvent> {
    return this.inner.read(streamId, range);
  }

  readAll(query: ReadAll): AsyncIterable<StoredEvent> {
    return this.inner.readAll(query);
  }

  lastPosition(streamId: Uuid): Promise<Long> {
    return this.inner.lastPosition(streamId);
  }

  async #appendAsUnit(
    inner: UnitStore,
    streamId: Uuid,
    envelopes: readonly Envelope[],
    options: AppendOptions,
    signal: AbortSignal | undefined,
  ): Promise<Appended> {
    const unit = appendUnit(streamId, envelopes, options);
    const records = unit.events.flatMap((event) => this.auditing.recordOf(event) ?? []);
    // The envelopes come from callers.
    for (const record of records) mustBeValid(record.envelope.payload as object);
    const audited: Unit = { ...unit, records };
    await inner.commit(audited, signal);
    this.committed(records);
    for (const record of records) await this.#queueStored(record);
    return appendedBy(audited);
  }

  /** A repeated append stores no second audit. */
  async #queueStored({ envelope, of, recordedAt }: StagedRecord): Promise<void> {
    if (recordedAt === null) return;
    const payload = new EventAudited({
      ...(envelope.payload as Properties<EventAudited>),
      originalStreamPosition: of?.position ?? 0,
      timestamp: recordedAt ?? envelope.timestamp,
    });
    await this.outbox.queue(AuditTopic, { ...envelope, payload }, of);
  }
}

export const isUnitStore = (store: EventStore): store is UnitStore => 'commit' in store;
