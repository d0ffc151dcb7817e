import type { Command, EnvelopeScope, MessageClass } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { TimerOptions } from '../../contracts/reaction.js';
import { isTimestamp, type Json, type Uuid } from '../../contracts/scalars.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import { newUuid } from '../../contracts/uuid.js';
import { namedUuid } from '../lang/named-uuid.js';
import { isStorable } from '../lang/storable-text.js';
import { millisecondsOf } from './duration.js';

/** What set a timer; the command that it sends belongs to it. */
export interface TimerCause {
  readonly causationId: string;
  readonly correlationId: string;
  readonly scope?: EnvelopeScope | undefined;
  readonly traceparent?: string | undefined;
  /** How many reactions and timers lead from the request to here. */
  readonly depth?: number | undefined;
}

const maxBytes = 65_536;
const maxNameLength = 64;
const maxKeyLength = 1_024;
const tenYearsMs = 3_653 * 24 * 60 * 60_000;

/** A timer that sends a command. Without a name its id comes from `id`, or is a new one. */
export function commandTimer(
  command: Command,
  options: TimerOptions,
  cause: TimerCause,
  id: () => Uuid = newUuid,
): SetTimer {
  const { name, key = '', again = 'replace', expires } = options;
  const type = command.constructor.name;
  if (name === undefined && key !== '') throw invalid(type, 'a key needs a name');
  if (again !== 'replace' && again !== 'keep')
    throw invalid(type, `again '${String(again).slice(0, 40)}' must be 'replace' or 'keep'`);
  return {
    id: name === undefined ? id() : commandTimerId(name, key, cause.scope),
    kind: 'command',
    name: name ?? type,
    key,
    due: dueOf(type, options),
    again,
    ...(expires !== undefined && { expiresMs: millisecondsOf(expires, `${type}: expires`) }),
    data: { type, body: bodyOf(command, type) },
    context: timerContext(cause),
  };
}

/** A name is of its tenant: those of two tenants are two timers. */
export function commandTimerId(name: string, key: string, scope: EnvelopeScope | undefined): Uuid {
  mustBeText(name, 'name', maxNameLength);
  if (key !== '') mustBeText(key, 'key', maxKeyLength);
  return namedUuid('timer', scope?.['tenantId'] ?? '', name, key);
}

function dueOf(type: string, options: TimerOptions): SetTimer['due'] {
  const { in: after, at } = options;
  if ((after === undefined) === (at === undefined)) throw invalid(type, "give either 'in' or 'at'");
  if (after !== undefined) return { inMs: millisecondsOf(after, `${type}: in`) };
  if (!isTimestamp(at))
    throw invalid(type, `at '${String(at).slice(0, 40)}' is not a timestamp such as 2026-01-31T12:00:00Z`);
  // A coarse check: what counts is the clock of the database.
  if (Date.parse(at) > Date.now() + tenYearsMs)
    throw invalid(type, `at '${at}' is more than ten years ahead`);
  return { at };
}

function bodyOf(command: Command, type: string): Json {
  let text: string;
  try {
    text = JSON.stringify(command);
  } catch {
    throw invalid(type, 'the command cannot be expressed as JSON');
  }
  if (!isStorable(text)) throw invalid(type, 'U+0000 and unpaired surrogates cannot be stored');
  if (Buffer.byteLength(text) > maxBytes) throw invalid(type, 'the command is larger than 64 KiB');
  return JSON.parse(text) as Json;
}

/** What a timer holds, as a codec makes it: an instance of its class, without running its constructor. */
export const commandOf = (type: MessageClass<Command>, body: object): Command =>
  Object.assign(Object.create(type.prototype as object) as Command, body);

/** As JSON: members without a value are left out. */
export const timerContext = ({
  causationId,
  correlationId,
  scope,
  traceparent,
  depth,
}: TimerCause): Json => ({
  causationId,
  correlationId,
  ...(scope !== undefined && { scope }),
  ...(traceparent !== undefined && { traceparent }),
  ...(depth !== undefined && { depth }),
});

function mustBeText(value: unknown, what: string, maxLength: number): void {
  if (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= maxLength &&
    isStorable(JSON.stringify(value))
  )
    return;
  throw new Problem('invalid-timer', {
    detail: `The ${what} of a timer must be a text of 1 to ${maxLength} characters.`,
  });
}

const invalid = (type: string, reason: string): Problem =>
  new Problem('invalid-timer', { detail: `${type}: ${reason}.` });
