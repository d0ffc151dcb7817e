import { alreadyReserved } from './already-reserved.js';
import { Problem } from '../../contracts/problems.js';
import {
  isInt,
  isLong,
  isTimestamp,
  isUuid,
  type Json,
  type Long,
  type Uuid,
} from '../../contracts/scalars.js';
import type {
  AsideStep,
  DueKind,
  EndedTimer,
  HandledEvent,
  HeldCursor,
  ProcessStatus,
  ProcessStep,
  ReservationStep,
  SetTimer,
  UnitLists,
} from '../../contracts/unit-lists.js';
import { partOf } from '../lang/part-of.js';
import { microsOf } from './micros.js';
import { isStorable } from '../lang/storable-text.js';

export interface EncodedTimer {
  readonly id: Uuid;
  readonly part: number;
  readonly kind: DueKind;
  readonly name: string;
  readonly key: string;
  /** Milliseconds from the commit; null: `at` says when. */
  readonly inMs: number | null;
  /** Microseconds since 1970. */
  readonly at: bigint | null;
  readonly keep: boolean;
  readonly expiresMs: number | null;
  readonly attempts: number;
  readonly parked: boolean;
  readonly error: string | null;
  readonly data: string;
  readonly context: string;
}

export interface EncodedEnd {
  readonly id: Uuid;
  /** The due time that the timer must have; null: it may be gone. */
  readonly firedAt: bigint | null;
}

/** What a unit does to one name: it gives it back, then takes it. */
export interface EncodedReservation {
  readonly key: Uuid;
  readonly name: string;
  /** Who gives it back. */
  readonly released: string | null;
  /** Who takes it. */
  readonly owner: string | null;
  readonly forMs: number | null;
}

export interface EncodedProcess {
  readonly name: string;
  readonly key: string;
  readonly tenant: string | null;
  readonly revision: Long;
  readonly version: number;
  readonly state: string;
  readonly status: ProcessStatus;
  readonly snapshot: string;
  readonly trail: string;
  readonly error: string | null;
}

/** The lists of a unit, checked. In each of them a thing occurs at most once; timers are ended before others are set. */
export interface EncodedLists {
  readonly handled: readonly HandledEvent[];
  readonly aside: readonly AsideStep[];
  readonly timers: readonly EncodedTimer[];
  readonly ended: readonly EncodedEnd[];
  readonly reservations: readonly EncodedReservation[];
  readonly processes: readonly EncodedProcess[];
  readonly bytes: number;
}

/** Ten years, whichever of them are leap years. */
export const longestMs = 3_653 * 24 * 60 * 60_000;

const maxNameBytes = 256;
const maxKeyBytes = 1024;
const maxJsonBytes = 64 * 1024;
const maxErrorLength = 2_000;

/** Undefined when all lists are empty: then nothing has to be looked up for them. */
export function encodeLists(lists: UnitLists | undefined): EncodedLists | undefined {
  if (lists === undefined || Object.values(lists).every((list) => list.length === 0)) return undefined;
  const timers = timersOf(lists.timers);
  const processes = lists.processes.map(encodeProcess);
  mustStandOnce('Process', processes, ({ name, key }) => [name, key]);
  mustStandOnce('Handled event', lists.handled, (mark) => [mark.cursor.name, mark.position]);
  mustStandOnce('Key', lists.aside, (step) => [step.cursor.name, step.key]);
  lists.handled.forEach(mustBeMark);
  return {
    handled: lists.handled,
    aside: lists.aside.map(encodeAside),
    timers,
    ended: endedOf(lists.ended),
    reservations: reservationsOf(lists.reservations),
    processes,
    bytes:
      timers.reduce((sum, { data, context }) => sum + data.length + context.length + 128, 0) +
      processes.reduce((sum, { snapshot, trail }) => sum + snapshot.length + trail.length + 128, 0) +
      64 * (lists.handled.length + lists.aside.length + lists.ended.length + lists.reservations.length),
  };
}

function mustBeMark({ cursor, position, key }: HandledEvent): void {
  mustBeCursor(cursor);
  mustBePosition(position);
  mustBeText('A key', key, maxKeyBytes);
}

function encodeAside(step: AsideStep): AsideStep {
  mustBeCursor(step.cursor);
  mustBeText('A key', step.key, maxKeyBytes);
  mustBePosition(step.from);
  mustBePosition(step.next);
  mustBeCount('attempts', step.attempts);
  return { ...step, retryInMs: boundedMs(step.retryInMs), error: errorOf(step.error) };
}

/** Of several timers of one id, the last one counts, unless it keeps the one before. */
function timersOf(timers: readonly SetTimer[]): readonly EncodedTimer[] {
  const byId = new Map<Uuid, EncodedTimer>();
  for (const timer of timers) {
    if (timer.again === 'keep' && byId.has(timer.id)) continue;
    byId.set(timer.id, encodeTimer(timer));
  }
  return [...byId.values()];
}

function encodeTimer(timer: SetTimer): EncodedTimer {
  const { id, kind, name, key, due, again, attempts = 0 } = timer;
  mustBeUuid('A timer', id);
  mustBeText('The name of a timer', name, maxNameBytes);
  mustBeText('The key of a timer', key, maxKeyBytes);
  mustBeCount('attempts', attempts);
  if ('at' in due && !isTimestamp(due.at)) throw invalid(`Timer ${name} is due at '${String(due.at)}'`);
  return {
    id,
    kind,
    name,
    key,
    attempts,
    // Without a key there is no order to keep.
    part: partOf(timer.line ?? (key === '' ? id : key)),
    inMs: 'inMs' in due ? boundedMs(due.inMs) : null,
    at: 'at' in due ? microsOf(due.at) : null,
    keep: again === 'keep',
    expiresMs: timer.expiresMs === undefined ? null : boundedMs(timer.expiresMs),
    parked: timer.parked ?? false,
    error: errorOf(timer.error),
    data: jsonOf(`timer ${name}`, timer.data),
    context: jsonOf(`timer ${name}`, timer.context),
  };
}

/** A timer that fires must be there, however often the unit ends it. */
function endedOf(ended: readonly EndedTimer[]): readonly EncodedEnd[] {
  const byId = new Map<Uuid, EncodedEnd>();
  for (const { id, firedAt } of ended) {
    mustBeUuid('A timer', id);
    if (firedAt !== undefined && !isTimestamp(firedAt))
      throw invalid(`A timer cannot fire at '${String(firedAt)}'`);
    const known = byId.get(id)?.firedAt ?? null;
    byId.set(id, { id, firedAt: firedAt === undefined ? known : microsOf(firedAt) });
  }
  return [...byId.values()];
}

/** What a unit does to each name in all. */
export function reservationsOf(steps: readonly ReservationStep[]): readonly EncodedReservation[] {
  const byKey = new Map<Uuid, EncodedReservation>();
  for (const step of steps) {
    const { key, name, owner, forMs } = step;
    mustBeUuid('A reservation', key);
    mustBeText('The name of a reservation', name, maxNameBytes);
    mustBeText('The owner of a reservation', owner, maxKeyBytes);
    const { released, owner: taker } = byKey.get(key) ?? { released: null, owner: null };
    if (step.take && taker !== null && taker !== owner) throw alreadyReserved([step]);
    if (step.take)
      byKey.set(key, { key, name, released, owner, forMs: forMs === undefined ? null : boundedMs(forMs) });
    else if (taker === null || taker === owner)
      byKey.set(key, { key, name, released: released ?? owner, owner: null, forMs: null });
  }
  return [...byKey.values()];
}

function encodeProcess(step: ProcessStep): EncodedProcess {
  const { name, key, tenant = null, revision, version, state, status } = step;
  mustBeText('The name of a process', name, maxNameBytes);
  mustBeText('The key of a process', key, maxKeyBytes);
  mustBeText('The state of a process', state, maxKeyBytes);
  mustBePosition(revision);
  mustBeCount('version', version);
  return {
    name,
    key,
    tenant,
    revision,
    version,
    state,
    status,
    snapshot: jsonOf(`process ${name}`, step.snapshot),
    trail: jsonOf(`process ${name}`, step.trail),
    error: errorOf(step.error),
  };
}

function mustStandOnce<T>(
  what: string,
  list: readonly T[],
  nameOf: (item: T) => readonly (string | number)[],
): void {
  if (list.length < 2) return;
  const names = list.map((item) => JSON.stringify(nameOf(item)));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw invalid(`${what} ${twice} stands twice in one unit`);
}

function mustBeCursor({ name, epoch }: HeldCursor): void {
  mustBeText('The name of a cursor', name, maxNameBytes);
  mustBeCount('epoch', epoch);
}

function mustBeUuid(what: string, id: Uuid): void {
  if (!isUuid(id)) throw invalid(`${what} has the id '${String(id)}', which is not a UUID`);
}

function mustBePosition(position: Long): void {
  if (!isLong(position) || position < 0) throw invalid(`${String(position)} is not a position`);
}

function mustBeCount(what: string, count: number): void {
  if (!isInt(count) || count < 0) throw invalid(`${what} ${String(count)} is not a count`);
}

/** PostgreSQL takes no U+0000; an unpaired surrogate would become the key of another thing. */
const unstorable = /\0|\p{Surrogate}/u;

function mustBeText(what: string, text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes) throw invalid(`${what} has more than ${maxBytes} bytes`);
  if (unstorable.test(text)) throw invalid(`${what} has a character that cannot be stored`);
}

function jsonOf(what: string, value: Json): string {
  const text = JSON.stringify(value) ?? 'null';
  if (Buffer.byteLength(text) > maxJsonBytes)
    throw invalid(`The content of ${what} has more than ${maxJsonBytes} bytes`);
  if (!isStorable(text)) throw invalid(`The content of ${what} has a character that cannot be stored`);
  return text;
}

/** An error is reported, whatever it contains. */
const errorOf = (error: string | null | undefined): string | null =>
  error?.slice(0, maxErrorLength).replaceAll(/\0|\p{Surrogate}/gu, '\ufffd') ?? null;

function boundedMs(duration: number): number {
  if (Number.isNaN(duration)) throw invalid('A duration is not a number');
  return Math.round(Math.min(Math.max(duration, 0), longestMs));
}

const invalid = (detail: string): Problem => new Problem('invalid-event', { detail: `${detail}.` });
