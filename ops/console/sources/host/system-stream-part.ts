import type { Long } from '../../../../contracts/scalars.js';
import type {
  ChainFigures,
  StreamRecord,
  SystemFilter,
  SystemPage,
  SystemPart,
  RecordDetail,
} from '../../model/system-records.js';
import { type ChainReport, verifyChain } from '../../../../runtime/audit/verify-chain.js';
import type { Database, Row } from '../../../../runtime/database/database.js';
import { positionsOf, readFacets } from './record-facets.js';
import { exportColumns, exportLine } from '../../../audit/format-record.js';
import { newestRecords } from '../../../audit/newest-records.js';
import {
  correlationColumn,
  lastPosition,
  findRecords,
  ownSystemStream,
  type RecordTable,
  tenantColumn,
  userColumn,
} from '../../../audit/record-query.js';

/** For one page of older records. */
const maxQueries = 20;

/** The subject of a record, without its body; how often it happened, when it stands for several. */
const subject = `concat_ws(' ', coalesce(
  (data ->> 'originalEventType') || ' in ' || (data ->> 'originalStreamId') || ' @ ' || coalesce(original_position::text, data ->> 'originalStreamPosition'),
  concat_ws(': ', coalesce(data ->> 'commandType', data ->> 'hook', data ->> 'perspectiveName', data ->> 'messageType', data ->> 'migrationKey', data ->> 'resourceType', data ->> 'checkName',
      CASE event_type WHEN 'FlagChanged' THEN data ->> 'name' WHEN 'OperatorActed' THEN data ->> 'action'
        WHEN 'ProcessStarted' THEN concat_ws(' ', data ->> 'processName', data ->> 'key')
        WHEN 'ProcessEnded' THEN concat_ws(' ', data ->> 'processName', data ->> 'key', data ->> 'outcome')
        WHEN 'ReactionFailed' THEN concat_ws(' ', data ->> 'reactionName', data ->> 'key')
        WHEN 'ScheduleMissed' THEN concat_ws(' ', data ->> 'scheduleName', data ->> 'missed', data ->> 'policy')
        WHEN 'TimersMissed' THEN concat_ws(' ', data ->> 'count', 'since', data ->> 'oldestDue')
        WHEN 'StoreTrusted' THEN concat_ws(' ', data ->> 'storeId', data ->> 'how')
        WHEN 'StoreKeyRotated' THEN concat_ws(' ', data ->> 'publicKey', 'after', data ->> 'upTo')
        WHEN 'SubjectForgotten' THEN data ->> 'subject' END,
      CASE WHEN event_type LIKE 'Deployment%' THEN
        concat_ws(' ', data ->> 'strategy', 'of ' || (data ->> 'revision'), 'at ' || (data ->> 'toNew') || ' %') END),
    left(coalesce(data -> 'error' ->> 'message', data ->> 'lastError',
      CASE event_type WHEN 'DeploymentReverted' THEN data ->> 'reason' END), 200))), '(' || (metadata ->> 'count') || ' times)')`;

/** Selected after the position. */
export const listColumns = `event_id, event_type, svc_iso_time(recorded_at), host, ${subject}, ${userColumn}, ${tenantColumn}, ${correlationColumn}`;

/** The system stream of this store, unless another log is given. */
export function systemPart(
  database: Database,
  log: RecordTable = ownSystemStream,
  chainOf: () => Promise<ChainReport> = () => verifyChain(database),
): SystemPart {
  let verifying: Promise<ChainFigures> | undefined;
  const verify = async (): Promise<ChainFigures> => ({
    ...(await chainOf()),
    verifiedAt: new Date().toISOString(),
  });
  return {
    head: () => lastPosition(database, log),
    after: async (position, limit) => {
      const to = await lastPosition(database, log);
      if (to <= position) return [];
      const range = { from: position + 1, to, newest: limit };
      return (await findRecords(database, listColumns, {}, range, log)).map(streamRecordOf);
    },
    page: (filter, before, limit) => pageBackwards(database, log, filter, before, limit),
    facets: (filter) => readFacets(database, log, filter),
    record: (position) => readRecord(database, log, position),
    // Concurrent callers share one result: it needs a read of the whole stream.
    verify: () => (verifying ??= verify().finally(() => (verifying = undefined))),
  };
}

async function pageBackwards(
  database: Database,
  log: RecordTable,
  filter: SystemFilter,
  before: number | undefined,
  limit: number,
): Promise<SystemPage> {
  const bounds = await positionsOf(database, log, filter);
  const to = before === undefined ? bounds.to : Math.min(bounds.to, before - 1);
  const range = { from: bounds.from, to, limit, maxQueries };
  const { rows, next } = await newestRecords(
    database,
    listColumns,
    { ...filter, isPartial: true },
    range,
    log,
  );
  return { records: rows.map(streamRecordOf), before: next >= bounds.from ? next + 1 : undefined };
}

async function readRecord(
  database: Database,
  log: RecordTable,
  position: Long,
): Promise<RecordDetail | undefined> {
  const range = { from: position, to: position };
  const [line] = await findRecords(database, listColumns, {}, range, log);
  const [row] = await findRecords(database, exportColumns, {}, range, log);
  if (line === undefined || row === undefined) return undefined;
  const { hash, data, metadata } = JSON.parse(exportLine(row)) as RecordDetail;
  return { ...streamRecordOf(line), hash, data, metadata };
}

export function streamRecordOf(row: Row): StreamRecord {
  const [position, eventId, eventType, recordedAt, host, about, user, tenant, correlationId] = row;
  return {
    position: Number(position),
    eventId: eventId ?? '',
    eventType: eventType ?? '',
    recordedAt: recordedAt ?? '',
    host: host ?? '',
    subject: about ?? '',
    user: user ?? undefined,
    tenant: tenant ?? undefined,
    correlationId: correlationId ?? undefined,
  };
}
