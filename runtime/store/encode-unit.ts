import { type Envelope, messageTypeOf } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { isLong, isTimestamp, isUuid, type Timestamp, type Uuid } from '../../contracts/scalars.js';
import { isSystemMessage, systemMessages } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { SealedPayload } from '../../contracts/sealing.js';
import type { KeyedOutcome, StagedEvent, StagedRecord, Unit } from '../../contracts/unit-store.js';
import { isAudit } from '../audit/audit-timestamp.js';
import { hidesBody, newSalt, storedDigest } from '../audit/stored-digest.js';
import { metadataOf } from '../envelope/stored-metadata.js';
import { encodeLists, type EncodedLists } from './encode-lists.js';
import { isStorable, storableText } from '../lang/storable-text.js';

interface EncodedMessage {
  readonly id: Uuid;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export interface EncodedEvent extends EncodedMessage {
  readonly streamId: Uuid;
  /** Milliseconds; null = the time of recording. */
  readonly occurredAt: number | null;
}

export interface EncodedRecord extends EncodedMessage {
  readonly publish: boolean;
  /** The n-th event of its unit, 0 = none. */
  readonly of: number;
}

/** A unit as text and bytes: everything that can be prepared outside the lock. */
export interface EncodedUnit {
  readonly events: readonly EncodedEvent[];
  readonly records: readonly EncodedRecord[];
  readonly expected: ReadonlyMap<Uuid, number>;
  readonly outcome: KeyedOutcome | undefined;
  /** Undefined when the unit has none. */
  readonly lists?: EncodedLists | undefined;
  readonly bytes: number;
  /** Where more units wait than fit into a flush, tenants take turns. */
  readonly tenant?: string | undefined;
}

type SealedEvents = ReadonlyMap<StagedEvent, SealedPayload>;

const noneSealed: SealedEvents = new Map();
const none: ReadonlySet<unknown> = new Set();
const maxFutureMs = 5 * 60_000;

/** `sealed`: what is stored instead of the payloads of events with sealed values. */
export function encodeUnit(unit: Unit, now: number, sealed: SealedEvents = noneSealed): EncodedUnit {
  mustBePositions(unit.expected);
  mustHaveDistinctIds(unit.events);
  mustHaveDistinctIds(unit.records);
  const hides = unit.records.some(hidesBody);
  const hidden = hides ? new Set(unit.records.filter(hidesBody).map(({ of }) => of)) : none;
  const events = unit.events.map((event) => encodeEvent(event, now, sealed.get(event), hidden.has(event)));
  const indexes = new Map(unit.events.map((event, index) => [event, index]));
  const records = unit.records.map((record) => encodeRecord(record, indexes, events));
  const size = (sum: number, message: EncodedMessage) =>
    sum + message.data.length + message.metadata.length + 64;
  const lists = encodeLists(unit.lists);
  const other = (unit.outcome?.body?.length ?? 0) + (lists?.bytes ?? 0);
  const bytes = records.reduce(size, events.reduce(size, other));
  const { scope } = (unit.events[0] ?? unit.records[0])?.envelope ?? {};
  const tenant = scope?.['tenantId'] ?? undefined;
  return { events, records, expected: unit.expected, outcome: unit.outcome, lists, bytes, tenant };
}

function mustBePositions(expected: ReadonlyMap<Uuid, number>): void {
  for (const [streamId, position] of expected) {
    if (isUuid(streamId) && isLong(position)) continue;
    throw new Problem('invalid-event', { detail: `Stream ${streamId} cannot be expected at ${position}.` });
  }
}

function mustHaveDistinctIds(messages: readonly { readonly envelope: Envelope }[]): void {
  const [first, second] = messages;
  if (second === undefined) return;
  if (messages.length === 2 && first?.envelope.messageId !== second.envelope.messageId) return;
  if (new Set(messages.map(({ envelope }) => envelope.messageId)).size === messages.length) return;
  throw new Problem('stream-conflict', { detail: 'Two messages of one unit have the same id.' });
}

function encodeEvent(
  event: StagedEvent,
  now: number,
  sealed: SealedPayload | undefined,
  isHidden: boolean,
): EncodedEvent {
  const { streamId, envelope, occurredAt } = event;
  if (streamId === SystemEventStreams.streamId) {
    throw new Problem('reserved-stream', {
      detail: `Only the runtime writes to ${SystemEventStreams.name}.`,
    });
  }
  if (!isUuid(streamId)) throw invalid(envelope, `stream id '${String(streamId)}' is not a UUID`);
  // Also by name: everything that reads the log has only that.
  if (isSystemMessage(messageTypeOf(envelope)) || systemMessages.has(envelope.messageType))
    throw invalid(
      envelope,
      `system messages are stored only in ${SystemEventStreams.name}; emit it instead, or give your event another name`,
    );
  mustHaveId(envelope);
  return {
    id: envelope.messageId,
    type: envelope.messageType,
    data: storable(envelope, jsonOf(envelope, sealed === undefined ? envelope.payload : sealed.payload)),
    metadata: storable(
      envelope,
      metadataOf(
        envelope,
        sealed === undefined && !isHidden
          ? undefined
          : { sealed: sealed?.fields, salt: isHidden ? newSalt() : undefined },
      ),
    ),
    streamId,
    occurredAt: timeOf(envelope, occurredAt, now),
  };
}

function timeOf(envelope: Envelope, occurredAt: Timestamp | undefined, now: number): number | null {
  if (occurredAt === undefined) return null;
  if (!isTimestamp(occurredAt))
    throw invalid(envelope, `occurredAt '${String(occurredAt)}' is not a timestamp`);
  const time = Date.parse(occurredAt);
  if (time > now + maxFutureMs) throw invalid(envelope, 'occurredAt is more than 5 minutes in the future');
  return time;
}

/** The event it is about is already encoded in the same unit: its text is reused. */
function encodeRecord(
  record: StagedRecord,
  indexes: ReadonlyMap<StagedEvent, number>,
  encoded: readonly EncodedEvent[],
): EncodedRecord {
  const { envelope, of, publish } = record;
  mustHaveId(envelope);
  const index = of === undefined ? -1 : (indexes.get(of) ?? -1);
  const event = encoded[index];
  return {
    id: envelope.messageId,
    type: envelope.messageType,
    data: recordText(envelope, of?.envelope, event),
    metadata:
      of === undefined || event === undefined
        ? storableText(metadataOf(envelope))
        : metadataBeside(record, of.envelope, event),
    publish,
    of: index + 1,
  };
}

/** A record reports what happened, whatever it contains: it is never rejected because of a character. */
function recordText(envelope: Envelope, of: Envelope | undefined, event: EncodedEvent | undefined): string {
  const payload = envelope.payload as { readonly originalBody?: unknown };
  const holdsWholeEvent =
    event !== undefined && of?.payload instanceof Object && payload.originalBody === of.payload;
  if (!holdsWholeEvent) return storableText(jsonOf(envelope, withoutTimestamp(envelope)));
  const others = storableText(
    jsonOf(envelope, { ...payload, originalBody: undefined, timestamp: undefined }),
  );
  const comma = others === '{}' ? '' : ',';
  return `${others.slice(0, -1)}${comma}"originalBody":${event.data}}`;
}

const withoutTimestamp = ({ messageType, payload }: Envelope): unknown =>
  isAudit(messageType) && typeof payload === 'object' && payload !== null
    ? { ...payload, timestamp: undefined }
    : payload;

/** The chain covers a record, not its event: what the two do not share is kept in the record as well. */
function metadataBeside(record: StagedRecord, of: Envelope, event: EncodedEvent): string {
  const { envelope } = record;
  const isHidden = hidesBody(record);
  if (!isHidden && event.occurredAt === null && haveSameOrigin(envelope, of)) return event.metadata;
  const { tracestate, count, depth, v } = of;
  const occurredAt = event.occurredAt === null ? undefined : new Date(event.occurredAt).toISOString();
  const digest = isHidden ? storedDigest(event.metadata, event.data) : undefined;
  return storableText(metadataOf(envelope, { event: { tracestate, count, depth, v, occurredAt, digest } }));
}

const haveSameOrigin = (one: Envelope, other: Envelope): boolean =>
  one.correlationId === other.correlationId &&
  one.causationId === other.causationId &&
  one.scope === other.scope &&
  one.traceparent === other.traceparent &&
  one.tracestate === other.tracestate &&
  one.count === other.count &&
  one.depth === other.depth &&
  one.v === other.v;

function mustHaveId(envelope: Envelope): void {
  if (isUuid(envelope.messageId)) return;
  throw invalid(envelope, `message id '${String(envelope.messageId)}' is not a UUID`);
}

function jsonOf(envelope: Envelope, value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    throw invalid(
      envelope,
      `it cannot be expressed as JSON: ${error instanceof Error ? firstLine(error.message) : 'unknown'}`,
    );
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

function storable(envelope: Envelope, text: string): string {
  if (!isStorable(text)) {
    throw invalid(envelope, 'U+0000 and unpaired surrogates cannot be stored');
  }
  return text;
}

const invalid = (envelope: Envelope, reason: string) =>
  new Problem('invalid-event', { detail: `${envelope.messageType}: ${reason}.` });
