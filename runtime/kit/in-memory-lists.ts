import { Problem, type ProblemCode } from '../../contracts/problems.js';
import type {
  AsideKey,
  Progress,
  ReactionStore,
  StoredProcess,
  StoredTimer,
  TakenName,
} from '../../contracts/reaction-store.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import type { AsideStep, HandledEvent, HeldCursor, TimerKind } from '../../contracts/unit-lists.js';
import {
  type EncodedEnd,
  type EncodedLists,
  type EncodedProcess,
  type EncodedReservation,
  type EncodedTimer,
  longestMs,
} from '../store/encode-lists.js';
import { timerLine } from '../timers/timer-line.js';
import { alreadyReserved } from '../store/already-reserved.js';
import { isNewer } from '../lang/compare-versions.js';
import { timestampOfMicros } from '../store/micros.js';
import { InMemoryEffects, type KeptTimer, laneOf } from './in-memory-effects.js';

interface Cursor {
  epoch: number;
  position: Long;
  done: Set<Long>;
  version?: string;
}

interface KeptAside extends AsideStep {
  readonly retryAt: number;
}

interface KeptReservation {
  readonly owner: string;
  readonly until: number;
}

interface KeptProcess extends EncodedProcess {
  readonly startedAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Decides the lists of a unit like the commit procedure in PostgreSQL, and is what runners read. */
export class InMemoryLists implements ReactionStore {
  readonly #cursors = new Map<string, Cursor>();
  readonly #aside = new Map<string, Map<string, KeptAside>>();
  readonly #timers = new Map<Uuid, KeptTimer>();
  readonly #reservations = new Map<Uuid, KeptReservation>();
  readonly #processes = new Map<string, KeptProcess>();

  readonly effects: InMemoryEffects;
  #asked = 0;

  constructor(
    /** Milliseconds since 1970, never decreasing. */
    private readonly now: () => number,
    private readonly head: () => Long,
    record: (record: StagedRecord) => Promise<void>,
  ) {
    this.effects = new InMemoryEffects(this.#timers, now, record);
  }

  async takeCursor(name: string, start: 'head' | 'beginning', version?: string): Promise<Progress> {
    const position = start === 'head' ? this.head() : 0;
    const cursor: Cursor = this.#cursors.get(name) ?? { epoch: 0, position, done: new Set() };
    cursor.epoch++;
    this.#cursors.set(name, cursor);
    if (version !== undefined) {
      if (isNewer(version, cursor.version ?? null)) this.#release(name);
      cursor.version = version;
    }
    return { epoch: cursor.epoch, position: cursor.position, done: ascending(cursor.done) };
  }

  #release(name: string): void {
    const keys = this.#aside.get(name) ?? new Map<string, KeptAside>();
    for (const [key, row] of keys)
      if (row.state === 'parked')
        keys.set(key, { ...row, state: 'retrying', attempts: 0, retryAt: this.now() });
  }

  async retryingKeys(cursor: string, after: string, limit: number): Promise<readonly AsideKey[]> {
    const all = await this.asideKeys(cursor);
    return all
      .filter(({ key, state }) => state === 'retrying' && key > after)
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .slice(0, limit);
  }

  async asideKeys(cursor: string): Promise<readonly AsideKey[]> {
    const now = this.now();
    return [...(this.#aside.get(cursor)?.values() ?? [])]
      .map(({ key, next, state, attempts, retryAt, error }) => ({
        key,
        position: next,
        state,
        attempts,
        error,
        retryInMs: Math.max(0, retryAt - now),
        isGivenUp: false,
      }))
      .sort((one, other) => one.position - other.position || (one.key < other.key ? -1 : 1));
  }

  async dueTimers(
    parts: readonly number[],
    limit: number,
    except: readonly string[] = [],
  ): ReturnType<ReactionStore['dueTimers']> {
    const now = BigInt(this.now()) * 1000n;
    const waiting = this.#timersWhere((timer) => parts.includes(timer.part) && !timer.parked);
    const next = waiting.find(({ dueAt }) => dueAt > now);
    return {
      due: waiting
        .filter(({ dueAt }) => dueAt <= now)
        .map((timer) => this.#stored(timer))
        .filter((timer) => !except.includes(timerLine(timer)))
        .slice(0, limit),
      nextInMs: next === undefined ? null : Number(next.dueAt - now) / 1000,
    };
  }

  async parkedTimers(
    parts: readonly number[],
    codes: readonly ProblemCode[],
    version: string,
    limit: number,
  ): Promise<readonly StoredTimer[]> {
    const isAsked = ({ error, context }: StoredTimer): boolean => {
      const { parkedBy = version } = context as { readonly parkedBy?: string };
      return parkedBy !== version || codes.some((code) => error?.split(':')[0] === code);
    };
    return this.#timersWhere(({ part, parked }) => parked && parts.includes(part))
      .map((timer) => this.#stored(timer))
      .filter(isAsked)
      .slice(0, limit);
  }

  async process(name: string, key: string): Promise<StoredProcess | undefined> {
    const stored = this.#processes.get(`${name}\0${key}`);
    if (stored === undefined) return undefined;
    const { tenant: _, ...kept } = stored;
    return { ...kept, snapshot: JSON.parse(kept.snapshot), trail: JSON.parse(kept.trail) };
  }

  async isReserved(names: readonly TakenName[]): Promise<boolean> {
    return names.some((name) => this.#isTaken(name));
  }

  async timersOf(kind: TimerKind, name: string, key: string): Promise<readonly StoredTimer[]> {
    return this.#timersWhere((timer) => timer.kind === kind && timer.name === name && timer.key === key).map(
      (timer) => this.#stored(timer),
    );
  }

  /** Why the unit must go back to its runner, whatever else is wrong with it. */
  refusalBefore({ handled, aside, ended }: EncodedLists): Problem | undefined {
    if (handled.some((mark) => this.#isOvertaken(mark)) || aside.some((step) => this.#isElsewhere(step)))
      return new Problem('overtaken');
    return ended.some((end) => this.#isGone(end)) ? new Problem('timer-gone') : undefined;
  }

  refusalAfter({ processes, reservations }: EncodedLists): Problem | undefined {
    if (processes.some((step) => this.#isStale(step))) return new Problem('stream-conflict');
    return reservations.some((step) => this.#isTaken(step)) ? alreadyReserved(reservations) : undefined;
  }

  store(lists: EncodedLists, time: number): void {
    for (const step of lists.aside) this.#move(step, time);
    for (const { cursor, position } of lists.handled) this.#cursors.get(cursor.name)?.done.add(position);
    for (const { cursor } of [...lists.handled, ...lists.aside]) this.#settle(cursor);
    for (const { id } of lists.ended) this.#timers.delete(id);
    for (const timer of lists.timers) this.#set(timer, time);
    for (const step of lists.reservations) this.#reserve(step, time);
    const at = timestampOfMicros(BigInt(time) * 1000n);
    for (const step of lists.processes) {
      const name = `${step.name}\0${step.key}`;
      const startedAt = this.#processes.get(name)?.startedAt ?? at;
      this.#processes.set(name, { ...step, revision: step.revision + 1, startedAt, updatedAt: at });
    }
  }

  #isOvertaken({ cursor, position, key }: HandledEvent): boolean {
    const kept = this.#held(cursor);
    if (kept === undefined || position <= kept.position || kept.done.has(position)) return true;
    return this.#aside.get(cursor.name)?.has(key) ?? false;
  }

  #isElsewhere({ cursor, key, from }: AsideStep): boolean {
    return this.#held(cursor) === undefined || from !== (this.#aside.get(cursor.name)?.get(key)?.next ?? 0);
  }

  #isGone({ id, firedAt }: EncodedEnd): boolean {
    return firedAt !== null && this.#timers.get(id)?.dueAt !== firedAt;
  }

  #isStale({ name, key, revision }: EncodedProcess): boolean {
    return revision !== (this.#processes.get(`${name}\0${key}`)?.revision ?? 0);
  }

  #isTaken({ key, released, owner }: TakenName): boolean {
    const kept = this.#reservations.get(key);
    if (owner === null || kept === undefined || kept.until <= this.now()) return false;
    return kept.owner !== owner && kept.owner !== released;
  }

  #held({ name, epoch }: HeldCursor): Cursor | undefined {
    const kept = this.#cursors.get(name);
    return kept?.epoch === epoch ? kept : undefined;
  }

  /** What a key has settled aside is settled for the line, too: another owner must not handle it again. */
  #move(step: AsideStep, time: number): void {
    const { cursor, key, from, next } = step;
    const keys = this.#aside.get(cursor.name) ?? new Map<string, KeptAside>();
    this.#aside.set(cursor.name, keys);
    if (next === 0) keys.delete(key);
    else keys.set(key, { ...step, retryAt: time + step.retryInMs });
    const kept = this.#cursors.get(cursor.name);
    if (kept !== undefined && from > kept.position && next !== from) kept.done.add(from);
  }

  #settle(cursor: HeldCursor): void {
    const kept = this.#cursors.get(cursor.name);
    if (kept === undefined) return;
    const position = (kept.position = Math.max(kept.position, cursor.settledTo()));
    for (const done of kept.done) if (done <= position) kept.done.delete(done);
  }

  #set(timer: EncodedTimer, time: number): void {
    if (timer.keep && this.#timers.has(timer.id)) return;
    const setAt = BigInt(time) * 1000n;
    const due = timer.at ?? setAt + BigInt(timer.inMs ?? 0) * 1000n;
    const latest = setAt + BigInt(longestMs) * 1000n;
    const dueAt = due < setAt ? setAt : due > latest ? latest : due;
    const seq = this.#timers.get(timer.id)?.seq ?? ++this.#asked;
    const lane = timer.kind === 'effect' ? laneOf(timer) : '';
    this.#timers.set(timer.id, { ...timer, setAt, dueAt, seq, lane });
  }

  #reserve({ key, released, owner, forMs }: EncodedReservation, time: number): void {
    if (owner !== null) this.#reservations.set(key, { owner, until: time + (forMs ?? Infinity) });
    else if (this.#reservations.get(key)?.owner === released) this.#reservations.delete(key);
  }

  #timersWhere(matches: (timer: KeptTimer) => boolean): KeptTimer[] {
    return [...this.#timers.values()]
      .filter((timer) => timer.kind !== 'effect' && matches(timer))
      .sort((one, other) => Number(one.dueAt - other.dueAt) || (one.id < other.id ? -1 : 1));
  }

  #stored({ dueAt, setAt, data, context, ...timer }: KeptTimer): StoredTimer {
    const { id, kind, name, key, expiresMs, attempts, parked, error } = timer;
    return {
      id,
      kind: kind as TimerKind,
      name,
      key,
      expiresMs,
      attempts,
      parked,
      error,
      dueAt: timestampOfMicros(dueAt),
      setAt: timestampOfMicros(setAt),
      lateMs: Number(BigInt(this.now()) * 1000n - dueAt) / 1000,
      data: JSON.parse(data),
      context: JSON.parse(context),
    };
  }
}

const ascending = (positions: Iterable<Long>): Long[] => [...positions].sort((one, other) => one - other);
