import { isObject } from '../../contracts/codec-scalars.js';
import { serviceWide } from '../../contracts/perspective-scope.js';
import { isLong, isTimestamp, isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { isStorable } from '../lang/storable-text.js';
import { microsOf } from '../store/micros.js';
import { fileProblem, objectIn } from './event-file.js';
import { lostNumberIn } from './lost-numbers.js';
import type { Line } from './read-lines.js';

/** An event of a file, with everything about it that needs no store. */
export interface FileEvent {
  readonly line: number;
  readonly streamId: Uuid;
  /** Undefined: behind the last one of its stream. */
  readonly streamPosition: Long | undefined;
  readonly eventId: Uuid;
  readonly eventType: string;
  /** In microseconds since 1970. */
  readonly occurredAt: bigint;
  readonly host: string;
  /** Both as JSON: objects would be kept until their chunk is stored. */
  readonly metadata: string;
  readonly data: string;
  /** The file holds encrypted values of it. */
  readonly isSealed: boolean;
  readonly bytes: number;
}

/** The host of events that name none. */
const importHost = 'import';
const firstYear = microsOf('0001-01-01T00:00:00Z');
const maxFutureMs = 5 * 60_000;
const maxDepth = 64;
const maxNameLength = 255;

const eventFields: ReadonlySet<string> = new Set([
  ...['streamId', 'streamPosition', 'eventId', 'eventType', 'occurredAt', 'host', 'metadata', 'data'],
  // An export has them; the store gives its own.
  ...['globalPosition', 'recordedAt'],
]);

type Check = (value: unknown) => string | undefined;

const text: Check = (value) =>
  typeof value === 'string' && value !== '' && value.length <= 2_000
    ? undefined
    : 'must be a text of at most 2,000 characters';
const count: Check = (value) =>
  isLong(value) && value >= 0 ? undefined : 'must be a whole number that is not negative';
const scope: Check = (value) => {
  if (!isObject(value) || !Object.values(value).every((one) => one === null || typeof one === 'string'))
    return 'must be an object of texts';
  const { tenantId } = value;
  return tenantId === '' || tenantId === serviceWide
    ? `has a tenantId "${tenantId}", which names no tenant; leave it out`
    : undefined;
};

const metadataChecks: Readonly<Record<string, Check>> = {
  correlationId: text,
  causationId: text,
  scope,
  traceparent: text,
  tracestate: text,
  count,
  depth: count,
  v: (value) => (value === 0 ? 'must be 1 or more' : count(value)),
  sealed: (value) =>
    Array.isArray(value) && value.every((path) => typeof path === 'string')
      ? undefined
      : 'must be a list of texts',
};

/** The body of an event, before it becomes text. */
export interface EventBody {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The event in a line; a line that holds none is refused by its number, without its values. */
export const readEvent = (line: Line, now: number): FileEvent => storable(readLine(line, now).event);

/** The same, for those who change the body. */
export function readLine(
  { number, text: line, bytes }: Line,
  now: number,
): { readonly event: FileEvent; readonly body: EventBody } {
  const fields = objectIn(line);
  if (fields === undefined) throw fileProblem(number, 'it is not a JSON object');
  const fault = faultOf(fields);
  if (fault !== undefined) throw fileProblem(number, fault);
  const occurredAt = microsOf(fields['occurredAt'] as string);
  if (occurredAt < firstYear) throw fileProblem(number, '"occurredAt" is before the year 1');
  if (occurredAt > BigInt(now + maxFutureMs) * 1000n)
    throw fileProblem(number, '"occurredAt" is more than 5 minutes in the future');
  const body = { metadata: fields['metadata'] ?? {}, data: fields['data'] } as EventBody;
  // One object from the beginning: a copy of it costs as much as its JSON.
  const event: FileEvent = {
    line: number,
    streamId: fields['streamId'] as Uuid,
    streamPosition: fields['streamPosition'] as Long | undefined,
    eventId: fields['eventId'] as Uuid,
    eventType: fields['eventType'] as string,
    occurredAt,
    host: (fields['host'] as string | undefined) ?? importHost,
    isSealed: 'sealed' in body.metadata,
    bytes,
    metadata: metadataText(body.metadata),
    data: JSON.stringify(body.data),
  };
  const lost = isAtEnd(event.data, line) ? undefined : lostNumberIn(line);
  if (lost === undefined) return { event, body };
  throw fileProblem(
    number,
    `the number ${lost} has more digits than a JSON number keeps; write it as a text`,
  );
}

/** Written again, the data are as in the line: no number has changed. Those of the metadata are few and small. */
const isAtEnd = (data: string, line: string): boolean => line.endsWith(data, line.length - 1);

export function metadataText(metadata: EventBody['metadata']): string {
  const json = JSON.stringify(metadata);
  if (metadata['v'] !== undefined) return json;
  return json === '{}' ? '{"v":1}' : `${json.slice(0, -1)},"v":1}`;
}

export function storable(event: FileEvent): FileEvent {
  const fault = textFault(event.metadata, event.data);
  if (fault === undefined) return event;
  throw fileProblem(event.line, fault);
}

function faultOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(fields).find((name) => !eventFields.has(name));
  if (unknown !== undefined) return `an event has no field ${quoted(unknown)}`;
  const { streamId, streamPosition, eventId, eventType, occurredAt, host, metadata = {}, data } = fields;
  if (!isUuid(streamId)) return '"streamId" must be a UUID in lower case';
  if (streamId === SystemEventStreams.streamId)
    return `only the runtime writes to ${SystemEventStreams.name}`;
  if (streamPosition !== undefined && (!isLong(streamPosition) || streamPosition < 1))
    return '"streamPosition" must be a whole number from 1 on';
  if (!isUuid(eventId)) return '"eventId" must be a UUID in lower case';
  if (typeof eventType !== 'string' || !isTypeName(eventType))
    return '"eventType" must be the name of a class, such as "OrderCreated"';
  if (isSystemMessage(eventType)) return `system messages such as ${quoted(eventType)} are not imported`;
  if (!isTimestamp(occurredAt)) return '"occurredAt" must be a time such as "2026-03-01T09:30:00Z"';
  if (host !== undefined && (text(host) !== undefined || !isStorable(JSON.stringify(host))))
    return `"host" ${text(host) ?? 'holds characters that cannot be stored'}`;
  if (!isObject(data)) return '"data" must be a JSON object';
  if (!isObject(metadata)) return '"metadata" must be a JSON object';
  if (isTooDeep(data)) return `"data" is nested more than ${maxDepth} deep`;
  return metadataFault(metadata);
}

function metadataFault(metadata: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(metadata)) {
    const check = Object.hasOwn(metadataChecks, name) ? metadataChecks[name] : undefined;
    if (check === undefined) return `"metadata" has no field ${quoted(name)}`;
    const fault = check(value);
    if (fault !== undefined) return `"metadata.${name}" ${fault}`;
  }
  return undefined;
}

/** What a class may be called, and a subject of the broker may contain. */
const isTypeName = (name: string): boolean =>
  name.length <= maxNameLength && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);

const quoted = (name: string): string => JSON.stringify(name.slice(0, 80));

/** Level by level: a recursive check would need a stack of any depth. */
function isTooDeep(data: object): boolean {
  let level: object[] = [data];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((one) => Object.values(one as Record<string, unknown>).filter(hasMembers));
  }
  return false;
}

const hasMembers = (value: unknown): value is object => typeof value === 'object' && value !== null;

function textFault(metadata: string, data: string): string | undefined {
  if (!isStorable(metadata) || !isStorable(data)) return 'U+0000 and unpaired surrogates cannot be stored';
  // Inside a text its quotes would be escaped.
  return data.includes('"__proto__":') ? '"data" has a field "__proto__"' : undefined;
}
