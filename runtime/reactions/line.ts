import type { AsideKey, Progress } from '../../contracts/reaction-store.js';
import type { Long } from '../../contracts/scalars.js';
import type { AsideStep } from '../../contracts/unit-lists.js';
import { AsideQueue } from './aside-queue.js';

/** What a unit says about its cursor. */
export interface Marks {
  readonly handled?: { readonly position: Long; readonly key: string };
  readonly aside?: Omit<AsideStep, 'cursor'>;
}

/** What the runner of a cursor does next. */
export type LineEffect<Item> =
  /** Handles an event; without an item it has to be read. Answered by `ran` or `failed`. */
  | { readonly do: 'run'; readonly position: Long; readonly key: string; readonly item: Item | undefined }
  /** Commits what `run` staged, with these marks. Answered by `committed` or `conflicted`. */
  | { readonly do: 'commit'; readonly position: Long; readonly key: string; readonly marks: Marks }
  /** Commits these marks alone. Answered by `committed`. */
  | { readonly do: 'mark'; readonly position: Long; readonly key: string; readonly marks: Marks }
  /** Looks for later events of a key that is aside. Answered by `found`. */
  | { readonly do: 'find'; readonly key: string; readonly after: Long; readonly upTo: Long }
  /** Answered by `due`. */
  | { readonly do: 'wait'; readonly key: string; readonly ms: number };

export interface Failure {
  readonly error: string;
  /** Trying again would not help. */
  readonly park?: boolean;
}

/** How many settled and running events a cursor may have above its settled position. */
export const maxAhead = 128;
/** With a full window, an event that at least this many later ones have passed leaves the line. */
const slowAfter = 64;
const firstRetryMs = 10_000;
const maxRetryMs = 300_000;

type StepState = 'idle' | 'running' | 'ran' | 'committing';

/** One key: its events in line, or aside. */
interface Place<Item> {
  readonly key: string;
  readonly queue: { readonly position: Long; readonly item: Item }[];
  /** Of the first event, or of the one that is aside. */
  state: StepState;
  /** The commit that sets the key aside is on its way. */
  leaving: LeavingStep | undefined;
  aside: AsideQueue | undefined;
}

interface LeavingStep {
  readonly step: Omit<AsideStep, 'cursor'>;
  failure: Failure | undefined;
}

/**
 * What one host knows of a cursor that it holds. Events of a key are handled in order; a key that fails, or is slower
 * than many others, leaves the line, so that the cursor goes on. It decides only: effects are taken by `take`.
 */
export class Line<Item> {
  readonly #places = new Map<string, Place<Item>>();
  /** Events in line that are not settled, in the order of the log. */
  readonly #outstanding = new Map<Long, Place<Item>>();
  /** Settled above the settled position. */
  readonly #done: Set<Long>;
  readonly #idle = new Set<Place<Item>>();
  #effects: LineEffect<Item>[] = [];
  #active = 0;
  #read: Long;
  #marked: Long;

  constructor(
    progress: Progress,
    aside: readonly AsideKey[],
    private readonly attempts: number,
  ) {
    this.#read = progress.position;
    this.#done = new Set(progress.done);
    this.#marked = Math.max(progress.position, ...progress.done);
    for (const row of aside) {
      const place = this.#placeOf(row.key);
      place.aside = new AsideQueue(row.position, row.attempts, row.state === 'parked');
      if (!place.aside.parked) this.#effects.push({ do: 'wait', key: row.key, ms: row.retryInMs });
    }
  }

  /** Everything up to here was offered. */
  get read(): Long {
    return this.#read;
  }

  get outstanding(): number {
    return this.#outstanding.size;
  }

  get isIdle(): boolean {
    return this.#outstanding.size === 0 && this.#active === 0;
  }

  get parkedKeys(): readonly string[] {
    return [...this.#places.values()].filter(({ aside }) => aside?.parked === true).map(({ key }) => key);
  }

  get asideKeys(): number {
    let count = 0;
    for (const { aside } of this.#places.values()) if (aside !== undefined) count++;
    return count;
  }

  /** Everything up to here is settled, or waits behind a key that is aside. */
  settledTo(): Long {
    for (const position of this.#outstanding.keys()) return position - 1;
    return this.#read;
  }

  take(): readonly LineEffect<Item>[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** The next event of the log. */
  offer(position: Long, key: string, item: Item): void {
    this.#read = position;
    if (this.#done.has(position)) return this.#prune();
    const place = this.#placeOf(key);
    if (place.aside !== undefined && !place.aside.closing) return place.aside.push(position);
    this.#outstanding.set(position, place);
    place.queue.push({ position, item });
    this.#start(place);
  }

  /** The log was read to here. */
  readTo(position: Long): void {
    this.#read = Math.max(this.#read, position);
    this.#prune();
    this.#startIdle();
  }

  /** A mark that moves the cursor past events that do not concern it; undefined: there is nothing to move. */
  advance(): Marks | undefined {
    if (!this.isIdle || this.#read <= this.#marked) return undefined;
    this.#marked = this.#read;
    return { handled: { position: this.#read, key: '' } };
  }

  /** The event causes nothing; true: it is settled. The first one needs no mark: every later mark carries the settled position. */
  passed(position: Long, key: string): boolean {
    const place = this.#placeOf(key);
    const isFirst = position === this.settledTo() + 1;
    if (!isFirst || place.aside !== undefined || place.leaving !== undefined) {
      this.ran(position, key);
      return false;
    }
    this.#settle(place, position);
    this.#proceed();
    return true;
  }

  /** What the event causes is staged. */
  ran(_position: Long, key: string): void {
    const place = this.#placeOf(key);
    place.state = 'ran';
    if (place.leaving === undefined) this.#commit(place);
  }

  failed(position: Long, key: string, failure: Failure): void {
    const place = this.#placeOf(key);
    if (place.leaving !== undefined) place.leaving.failure = failure;
    else if (place.aside === undefined) this.#leave(place, position, 1, failure);
    else {
      if (place.aside.closing) this.#queueBehind(place, place.aside);
      this.#failAgain(place, place.aside, failure);
    }
  }

  committed(position: Long, key: string): void {
    const place = this.#placeOf(key);
    if (place.leaving !== undefined) this.#left(place, position, place.leaving);
    else if (place.aside === undefined) this.#settle(place, position);
    else this.#asideCommitted(place, place.aside);
    this.#proceed();
  }

  /** A stream has moved on: the event is handled again. */
  conflicted(position: Long, key: string): void {
    const place = this.#placeOf(key);
    place.state = 'running';
    if (place.aside?.closing === true) this.#queueBehind(place, place.aside);
    const item = place.queue.find((entry) => entry.position === position)?.item;
    this.#effects.push({ do: 'run', position, key, item });
  }

  found(key: string, positions: readonly Long[], all: boolean): void {
    const place = this.#placeOf(key);
    place.aside?.found(positions, all);
    if (place.state === 'ran') this.#commit(place);
  }

  /** The time to try a key again has come. */
  due(key: string): void {
    const place = this.#places.get(key);
    if (place?.aside === undefined || place.aside.parked || place.state !== 'idle') return;
    place.aside.due = true;
    this.#start(place);
  }

  /** An operator has released a parked key. */
  released(key: string): void {
    const aside = this.#places.get(key)?.aside;
    if (aside === undefined || !aside.parked) return;
    aside.parked = false;
    aside.attempts = 0;
    this.due(key);
  }

  #placeOf(key: string): Place<Item> {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = { key, queue: [], state: 'idle', leaving: undefined, aside: undefined };
      this.#places.set(key, place);
    }
    return place;
  }

  #start(place: Place<Item>): void {
    if (place.state !== 'idle') return;
    const { aside, key } = place;
    const [first] = place.queue;
    const next =
      aside === undefined ? first : aside.due ? { position: aside.position, item: undefined } : undefined;
    if (next === undefined) return;
    if (!this.#hasRoomFor(next.position)) {
      this.#idle.add(place);
      return;
    }
    this.#idle.delete(place);
    if (aside !== undefined) aside.due = false;
    place.state = 'running';
    this.#active++;
    this.#effects.push({ do: 'run', position: next.position, key, item: next.item });
  }

  /** The first one always runs: the cursor cannot move before it. */
  #hasRoomFor(position: Long): boolean {
    return this.#done.size + this.#active < maxAhead || position <= this.settledTo() + 1;
  }

  #startIdle(): void {
    for (const place of this.#idle) {
      if (this.#done.size + this.#active >= maxAhead) break;
      this.#idle.delete(place);
      this.#start(place);
    }
    const [first] = this.#outstanding.values();
    if (first !== undefined && this.#idle.has(first)) this.#start(first);
  }

  #commit(place: Place<Item>): void {
    const { aside, key, queue } = place;
    if (aside !== undefined) return this.#commitAside(place, aside);
    const position = queue[0]?.position ?? 0;
    place.state = 'committing';
    this.#marked = Math.max(this.#marked, position);
    this.#effects.push({ do: 'commit', position, key, marks: { handled: { position, key } } });
  }

  #commitAside(place: Place<Item>, aside: AsideQueue): void {
    const { key } = place;
    const next = aside.next();
    if (next === undefined) {
      this.#effects.push({ do: 'find', key, after: aside.position, upTo: this.#read });
      return;
    }
    place.state = 'committing';
    this.#marked = Math.max(this.#marked, aside.position);
    const step = {
      key,
      from: aside.position,
      next,
      state: 'retrying',
      attempts: 0,
      retryInMs: 0,
      error: null,
    } as const;
    aside.closing = next === 0;
    aside.stepTo = next;
    this.#effects.push({ do: 'commit', position: aside.position, key, marks: { aside: step } });
  }

  #asideCommitted(place: Place<Item>, aside: AsideQueue): void {
    const { stepTo } = aside;
    this.#rest(place);
    if (stepTo === undefined) return this.#wait(place, aside);
    this.#done.add(aside.position);
    this.#prune();
    if (stepTo === 0) place.aside = undefined;
    else aside.moveTo(stepTo);
    this.#start(place);
    this.#drop(place);
  }

  /** Sets the key aside, at its first event. */
  #leave(place: Place<Item>, position: Long, attempts: number, failure: Failure | undefined): void {
    const { key } = place;
    const step = { key, from: 0, next: position, ...this.#outcome(attempts, failure) };
    if (failure !== undefined) place.state = 'committing';
    place.leaving = { step, failure: undefined };
    this.#marked = Math.max(this.#marked, position);
    this.#effects.push({ do: 'mark', position, key, marks: { handled: { position, key }, aside: step } });
  }

  /** What was in line waits behind it now; its attempt may still be running. */
  #left(place: Place<Item>, position: Long, { step, failure }: LeavingStep): void {
    place.leaving = undefined;
    const aside = (place.aside = new AsideQueue(position, step.attempts, step.state === 'parked', true));
    this.#outstanding.delete(position);
    place.queue.shift();
    this.#queueBehind(place, aside);
    this.#done.add(position);
    this.#prune();
    if (failure !== undefined) this.#failAgain(place, aside, failure);
    else if (place.state === 'ran') this.#commit(place);
    else if (place.state === 'committing') {
      this.#rest(place);
      this.#wait(place, aside);
    }
  }

  #queueBehind(place: Place<Item>, aside: AsideQueue): void {
    aside.closing = false;
    for (const { position } of place.queue.splice(0)) {
      this.#outstanding.delete(position);
      aside.push(position);
    }
  }

  #failAgain(place: Place<Item>, aside: AsideQueue, failure: Failure): void {
    const { key } = place;
    const { position } = aside;
    place.state = 'committing';
    aside.stepTo = undefined;
    const outcome = this.#outcome(aside.attempts + 1, failure);
    aside.attempts = outcome.attempts;
    aside.parked = outcome.state === 'parked';
    const step = { key, from: position, next: position, ...outcome };
    this.#effects.push({ do: 'mark', position, key, marks: { aside: step } });
  }

  #outcome(
    attempts: number,
    failure: Failure | undefined,
  ): Pick<AsideStep, 'state' | 'attempts' | 'retryInMs' | 'error'> {
    const parked = failure !== undefined && (failure.park === true || attempts >= this.attempts);
    return {
      state: parked ? 'parked' : 'retrying',
      attempts,
      retryInMs: parked ? 0 : retryDelay(attempts),
      error: failure?.error ?? null,
    };
  }

  #wait({ key }: Place<Item>, { parked, attempts }: AsideQueue): void {
    if (!parked) this.#effects.push({ do: 'wait', key, ms: retryDelay(attempts) });
  }

  #settle(place: Place<Item>, position: Long): void {
    this.#outstanding.delete(position);
    place.queue.shift();
    this.#done.add(position);
    this.#prune();
    this.#rest(place);
    this.#start(place);
    this.#drop(place);
  }

  #rest(place: Place<Item>): void {
    place.state = 'idle';
    this.#active--;
  }

  #drop(place: Place<Item>): void {
    if (place.queue.length === 0 && place.aside === undefined) this.#places.delete(place.key);
  }

  #prune(): void {
    const settled = this.settledTo();
    for (const position of this.#done) if (position <= settled) this.#done.delete(position);
  }

  #proceed(): void {
    this.#setSlowAside();
    this.#startIdle();
  }

  #setSlowAside(): void {
    if (this.#done.size < slowAfter || this.#done.size + this.#active < maxAhead) return;
    for (const [position, place] of this.#outstanding) {
      if (place.state === 'running' && place.leaving === undefined && place.aside === undefined)
        this.#leave(place, position, 0, undefined);
      return;
    }
  }
}

/** 10 s, 20 s, … 5 min. */
export const retryDelay = (attempts: number): number =>
  attempts === 0 ? 0 : Math.min(firstRetryMs * 2 ** (attempts - 1), maxRetryMs);
