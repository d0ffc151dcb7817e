import { AuditTopic } from '../../contracts/audit.js';
import type {
  Appended,
  AppendOptions,
  EventStore,
  ReadAll,
  ReadRange,
  StoredEvent,
} from '../../contracts/event-store.js';
import type { Envelope } from '../../contracts/message.js';
import type { DeferredOutbox } from '../../contracts/outbox.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { StagedEvent, StagedRecord, Unit, UnitStore } from '../../contracts/unit.js';
import { nowText } from '../now.js';
import { appendedBy, appendUnit } from '../store/append-unit.js';
import { AuditPolicy } from './audit-policy.js';
import { buildEventAudited } from './build-audited.js';
import { mustBeValid, recordOf, systemRecord } from './system-record.js';

/**
 * Appends first, then queues an EventAudited for every event the audit mode covers. Over a store that commits units
 * both are one unit, so neither is ever stored without the other.
 */
export class AuditingEventStore implements EventStore {
  constructor(
    readonly inner: EventStore,
    private readonly outbox: DeferredOutbox,
    options: SystemEventOptions,
    private readonly policy: AuditPolicy = new AuditPolicy(options),
    /** Told about the audits that are stored now. */
    private readonly committed: (records: readonly StagedRecord[]) => void = () => undefined,
  ) {}

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
      if (this.policy.isEventAudited(envelope))
        await this.#queue(envelope, streamId, appended.positions[index] ?? 0);
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

  async #queue(envelope: Envelope, streamId: Uuid, position: Long): Promise<void> {
    const audited = buildEventAudited(envelope, streamId, position, this.policy, nowText());
    await this.outbox.queue(AuditTopic, systemRecord(audited, envelope, this.policy).envelope);
  }

  async #appendAsUnit(
    inner: UnitStore,
    streamId: Uuid,
    envelopes: readonly Envelope[],
    options: AppendOptions,
    signal: AbortSignal | undefined,
  ): Promise<Appended> {
    const unit = appendUnit(streamId, envelopes, options);
    const records = unit.events.flatMap((event) => auditRecordOf(event, this.policy) ?? []);
    // The envelopes come from outside.
    for (const record of records) mustBeValid(record.envelope.payload as object);
    const audited: Unit = { ...unit, records };
    await inner.commit(audited, signal);
    this.committed(records);
    return appendedBy(audited);
  }
}

/** The record that a staged event's audit becomes; its position is put beside it by the commit. */
export function auditRecordOf(event: StagedEvent, policy: AuditPolicy): StagedRecord | undefined {
  const { envelope, streamId } = event;
  if (!policy.isEventAudited(envelope)) return undefined;
  return recordOf(buildEventAudited(envelope, streamId, 0, policy), envelope, policy, event);
}

export const isUnitStore = (store: EventStore): store is UnitStore => 'commit' in store;
