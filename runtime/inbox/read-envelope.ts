import { isObject } from '../../contracts/codec-scalars.js';
import type { ChainLink } from '../../contracts/event-store.js';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import {
  isLong,
  isTimestamp,
  isUuid,
  type Long,
  type Timestamp,
  type Uuid,
} from '../../contracts/scalars.js';
import { decodeMessage } from '../envelope/message-format.js';

/** A validated envelope of another store. */
export interface ReceivedEnvelope extends Envelope {
  readonly streamId: Uuid;
  readonly streamPosition: Long;
  readonly globalPosition?: Long | undefined;
  readonly occurredAt: Timestamp;
  readonly recordedAt: Timestamp;
  readonly store: Uuid;
  readonly host: string;
  readonly chain?: ChainLink | undefined;
}

/** No properly sent message is longer. */
export const maxMessageBytes = 1 << 20;

/** Throws a Problem that names the fault, whatever the bytes are. */
export function readEnvelope(body: Uint8Array, contentType?: string): ReceivedEnvelope {
  if (body.length > maxMessageBytes) {
    const detail = `The message has ${body.length} bytes; at most ${maxMessageBytes} are accepted.`;
    throw new Problem('message-too-large', { detail });
  }
  const found = decoded(body, contentType);
  const faults = Object.entries(rules).flatMap(([name, isRight]) => (isRight(found[name]) ? [] : [name]));
  if (faults.length > 0) throw invalid(`These fields are missing or invalid: ${faults.join(', ')}.`);
  if (found['payload'] === undefined) throw invalid('There is no payload.');
  return found as unknown as ReceivedEnvelope;
}

export const invalid = (detail: string, cause?: unknown): Problem =>
  new Problem('invalid-message', { detail, ...(cause === undefined ? {} : { cause }) });

function decoded(body: Uint8Array, contentType?: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = decodeMessage(body, contentType);
  } catch (error) {
    throw error instanceof Problem ? error : invalid('The body is not msgpack.', error);
  }
  if (isObject(value)) return value;
  throw invalid('The body is not an envelope.');
}

type Rule = (value: unknown) => boolean;

const maxTextLength = 1_000;
const isText: Rule = (value) => typeof value === 'string' && value !== '' && value.length <= maxTextLength;
const isPosition: Rule = (value) => isLong(value) && value > 0;
/** 0 = never stored. */
const isPositionOrNone: Rule = (value) => value === 0 || isPosition(value);
const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || value === null || rule(value);
/** In every time zone its year has four digits: a database writes five for what 9999-12-31T23:00:00-02:00 is in UTC. */
const isTime: Rule = (value) => isTimestamp(value) && !/^(?:000[01]|9999)/.test(value);
const isHash: Rule = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const isScope: Rule = (value) =>
  isObject(value) && Object.values(value).every((text) => text === null || typeof text === 'string');

/** The text is stored as it is. */
function isJsonObject(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

const isChain: Rule = (value) =>
  isObject(value) &&
  isHash(value['hash']) &&
  isHash(value['digest']) &&
  optional(isPosition)(value['originalPosition']) &&
  optional(isJsonObject)(value['metadata']);

const rules: Readonly<Record<string, Rule>> = {
  messageId: isUuid,
  messageType: isText,
  streamId: isUuid,
  streamPosition: isPosition,
  globalPosition: optional(isPositionOrNone),
  timestamp: isTime,
  occurredAt: isTime,
  recordedAt: isTime,
  store: isUuid,
  host: isText,
  v: isPosition,
  correlationId: optional(isText),
  causationId: optional(isText),
  traceparent: optional(isText),
  tracestate: optional(isText),
  scope: optional(isScope),
  count: optional(isPosition),
  depth: optional(isPosition),
  chain: optional(isChain),
};
