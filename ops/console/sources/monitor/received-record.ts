import type { StreamRecord } from '../../model/system-records.js';
import type { Row } from '../../../../runtime/database/database.js';
import { exportColumns, exportLine, textLine, onOneLine, subjectOf } from '../../../audit/format-record.js';
import type { RecordTable, SystemStreamFilter } from '../../../audit/record-query.js';

/** A received record of another host. */
export interface ReceivedRecord {
  /** The order of arrival. */
  readonly id: number;
  readonly store: string;
  /** The position in the stream of its store. */
  readonly position: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly recordedAt: string;
  readonly host: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** For people. */
  readonly line: string;
  readonly json: string;
}

const table = 'svc_received_system_events';

/** All received records, in order of arrival. */
export const receivedRecords: RecordTable = { table, positionColumn: 'id' };

/** The records that one host wrote into the stream of its store. */
export const recordsOfHost = (origin: number, host: string): RecordTable => ({
  table,
  positionColumn: 'stream_position',
  filters: [
    ['origin', origin],
    ['host', host],
  ],
});

export const receivedColumns = `${exportColumns}, stream_position,
  (SELECT store FROM svc_origins o WHERE o.origin = ${table}.origin)`;

export function receivedRecordOf(row: Row): ReceivedRecord {
  const [id, ...columns] = row;
  const [position = null, store = null] = columns.splice(8);
  const asExported = [position, ...columns];
  const text = exportLine(asExported);
  const { data, metadata, ...fields } = JSON.parse(text) as ExportedFields;
  return {
    ...fields,
    id: Number(id),
    store: store ?? '',
    data: objectOf(data),
    metadata: objectOf(metadata),
    line: `${onOneLine(fields.host)}  ${textLine(asExported)}`,
    json: `{"store":${JSON.stringify(store)},${text.slice(1)}`,
  };
}

type ExportedFields = Pick<ReceivedRecord, 'position' | 'eventId' | 'eventType' | 'recordedAt' | 'host'> & {
  readonly data: unknown;
  readonly metadata: unknown;
};

/** Whether it matches every filter that is set. */
export function matchesFilter(record: ReceivedRecord, filter: SystemStreamFilter): boolean {
  const { type, user, tenant, correlation } = filter;
  const about = subjectsOf(record);
  return (
    (type === undefined || record.eventType === type) &&
    (user === undefined || about.user === user) &&
    (tenant === undefined || about.tenant === tenant) &&
    (correlation === undefined || about.correlationId === correlation)
  );
}

/** The record in a list, by its order of arrival. */
export const listedRecord = (record: ReceivedRecord): StreamRecord => ({
  position: record.id,
  eventId: record.eventId,
  eventType: record.eventType,
  recordedAt: record.recordedAt,
  host: record.host,
  subject: subjectOf(record.eventType, record.data).slice(0, 300),
  ...subjectsOf(record),
});

function subjectsOf({ data, metadata }: Pick<ReceivedRecord, 'data' | 'metadata'>) {
  const scope = objectOf(metadata['scope']);
  return {
    user: textOf(data['userId'] ?? scope['userId']),
    tenant: textOf(data['tenantId'] ?? scope['tenantId']),
    correlationId: textOf(data['correlationId'] ?? metadata['correlationId']),
  };
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
