import { readText } from '../../runtime/audit/audit-timestamp.js';
import type { Row } from '../../runtime/database/database.js';

/** Selected after the position. No function of the store: who altered rows may have altered that, too. */
export const exportColumns = `event_id, event_type, to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), host, encode(hash, 'hex'), original_position, data, metadata`;

/** One record as a line of JSON: its data verbatim, with the position of its event and the time of its audit added. */
export function exportLine(row: Row): string {
  const [position, eventId, eventType, recordedAt, host, hash, original, data, metadata] = row;
  const head = JSON.stringify({ position: Number(position), eventId, eventType, recordedAt, host, hash });
  const text = withOriginalPosition(readText(eventType ?? '', data ?? 'null', recordedAt ?? ''), original);
  return `${head.slice(0, -1)},"data":${text},"metadata":${metadata ?? 'null'}}`;
}

/** One record for people: who did what, when, and with which correlation. */
export function textLine(row: Row): string {
  const {
    position,
    eventType,
    recordedAt,
    data: storedData,
    metadata,
  } = JSON.parse(exportLine(row)) as ExportedRecord;
  const data = storedData ?? {};
  const { count } = metadata ?? {};
  const subject = `${subjectOf(eventType, data)}${count === undefined ? '' : ` (${onOneLine(count)} times)`}`;
  const who = [
    data['userId'] ?? metadata?.scope?.['userId'] ?? metadata?.scope?.['apiKey'] ?? actorOf(eventType, data),
    data['tenantId'] ?? metadata?.scope?.['tenantId'],
  ];
  const by = who.some((name) => name !== undefined)
    ? `by ${who.map((name) => onOneLine(name ?? '-')).join(' @ ')}`
    : '';
  const correlation = data['correlationId'] ?? metadata?.correlationId;
  const parts = [
    position,
    recordedAt,
    onOneLine(eventType),
    subject,
    by,
    correlation === undefined ? '' : `[${onOneLine(correlation)}]`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

interface ExportedRecord {
  readonly position: number;
  readonly eventType: string;
  readonly recordedAt: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly metadata: {
    readonly correlationId?: string;
    /** How many occurrences it stands for. */
    readonly count?: number;
    readonly scope?: Readonly<Record<string, unknown>>;
  } | null;
}

type Data = Readonly<Record<string, unknown>>;

/** What operators did; events of a service may use the same names for something else. */
const operatorRecords: Readonly<Record<string, (data: Data) => readonly unknown[]>> = {
  OperatorActed: ({ action, target }) => [action, target],
  FlagChanged: ({ name }) => [name],
  StoreTrusted: ({ storeId, how }) => [storeId, how],
  StoreKeyRotated: ({ publicKey, upTo }) => [publicKey, `after ${onOneLine(upTo)}`],
  SubjectForgotten: ({ subject }) => [subject],
  ProcessStarted: ({ processName, key }) => [processName, key],
  ProcessEnded: ({ processName, key, outcome }) => [processName, key, outcome],
  TimersMissed: ({ count, oldestDue }) => [count, `since ${onOneLine(oldestDue)}`],
  ScheduleMissed: ({ scheduleName, missed, policy }) => [scheduleName, missed, policy],
  DeploymentStarted: deploymentIn,
  DeploymentStageReached: deploymentIn,
  DeploymentCompleted: deploymentIn,
  DeploymentReverted: deploymentIn,
};

function deploymentIn({ strategy, revision, toNew, reason }: Data): readonly unknown[] {
  const share = toNew === undefined ? [] : [`at ${onOneLine(toNew)} %${reason === undefined ? '' : ':'}`];
  return [strategy, 'of', revision, ...share, ...(reason === undefined ? [] : [reason])];
}

const actorOf = (eventType: string, { actor }: Data): unknown =>
  Object.hasOwn(operatorRecords, eventType) ? actor : undefined;

export function subjectOf(eventType: string, data: Data): string {
  if (Object.hasOwn(operatorRecords, eventType))
    return (operatorRecords[eventType]?.(data) ?? []).map(onOneLine).join(' ');
  if (data['originalEventType'] !== undefined) {
    const location = `${onOneLine(data['originalStreamId'])}@${onOneLine(data['originalStreamPosition'])}`;
    return `${onOneLine(data['originalEventType'])} in ${location}`;
  }
  const { error, lastError } = data as {
    readonly error?: { readonly message?: unknown };
    lastError?: unknown;
  };
  const subject = ['commandType', 'hook', 'perspectiveName', 'messageType', 'migrationKey', 'resourceType']
    .map((name) => data[name])
    .find((value) => value !== undefined);
  const failure = error?.message ?? lastError;
  return `${onOneLine(subject ?? '')}${failure === undefined ? '' : `: ${onOneLine(failure)}`}`;
}

export const onOneLine = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(/[\s\p{Cc}]+/gu, ' ');

/** The first match is the field itself: the text before it cannot contain an unescaped quote. */
const withOriginalPosition = (data: string, original: string | null | undefined): string =>
  original === null || original === undefined
    ? data
    : data.replace('"originalStreamPosition":0', `"originalStreamPosition":${original}`);
