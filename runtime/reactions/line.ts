import type { AsideKey, Progress } from '../../contracts/reaction-store.js';
import type { Long } from '../../contracts/scalars.js';
import { AsideQueue } from './aside-queue.js';
import { asideOutcome, type Failure, type LineEffect, type Marks, retryDelay } from './line-effects.js';
import { type LeavingStep, LinePlaces, type Place } from './line-places.js';
import { LineWindow } from './line-window.js';
import { WaitingPlaces } from './waiting-places.js';

/**
 * What one host knows of a cursor that it holds. Events of a key are handled in order; a key that fails, or is slower
 * than many others, leaves the line, so that the cursor moves on. It decides only: effects are taken by `take`.
 */
export class Line<Item> {
  readonly #places = new LinePlaces<Item>();
  readonly #window: LineWindow<Place<Item>>;
  readonly #waiting: WaitingPlaces<Item>;
  readonly #parked = new Set<string>();
  #effects: LineEffect<Item>[] = [];
  #marked: Long;

  constructor(
    progress: Progress,
    aside: readonly AsideKey[],
    private readonly attempts: number,
  ) {
    this.#window = new LineWindow(progress.position, progress.done);
    this.#waiting = new WaitingPlaces(this.#window);
    this.#marked = Math.max(progress.position, ...progress.done);
    for (const row of aside) {
      const place = this.#places.of(row.key);
      place.aside = new AsideQueue(row.position, row.attempts, row.state === 'parked');
      if (place.aside.parked) this.#parked.add(row.key);
      else this.#effects.push({ do: 'wait', key: row.key, ms: row.retryInMs });
    }
  }

  /** Everything up to here was offered. */
  get read(): Long {
    return this.#window.read;
  }

  get outstanding(): number {
    return this.#window.outstanding.size;
  }

  get isIdle(): boolean {
    return this.#window.outstanding.size === 0 && this.#window.active === 0;
  }

  /** Without those whose commit is on its way: nobody can have released them. */
  get parkedKeys(): ReadonlySet<string> {
    return this.#parked;
  }

  /** How many keys that are aside are due, and wait until others were tried. */
  get waiting(): number {
    return this.#waiting.aside;
  }

  /** Everything up to here is settled, or waits behind a key that is aside. */
  settledTo(): Long {
    return this.#window.settledTo();
  }

  take(): readonly LineEffect<Item>[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** The next event of the log. */
  offer(position: Long, key: string, item: Item): void {
    this.#window.read = position;
    if (this.#window.isSettled(position)) return this.#window.prune();
    const place = this.#places.of(key);
    if (place.aside !== undefined && !place.aside.closing) return place.aside.push(position);
    this.#window.outstanding.set(position, place);
    place.queue.push({ position, item });
    this.#start(place);
  }

  /** The log was read to here. */
  readTo(position: Long): void {
    this.#window.read = Math.max(this.#window.read, position);
    this.#window.prune();
    this.#startIdle();
  }

  /** A mark that moves the cursor past events that do not concern it; undefined: there is nothing to move. */
  advance(): Marks | undefined {
    if (!this.isIdle || this.#window.read <= this.#marked) return undefined;
    this.#marked = this.#window.read;
    return { handled: { position: this.#window.read, key: '' } };
  }

  /** The event causes nothing; true: it is settled. The first one needs no mark: every later mark carries the settled position. */
  passed(position: Long, key: string): boolean {
    const place = this.#places.of(key);
    const isFirst = position === this.settledTo() + 1;
    if (!isFirst || place.aside !== undefined || place.leaving !== undefined) {
      this.ran(position, key);
      return false;
    }
    this.#settle(place, position);
    this.#startIdle();
    return true;
  }

  /** What the event causes is staged. */
  ran(_position: Long, key: string): void {
    const place = this.#places.of(key);
    place.state = 'ran';
    if (place.leaving === undefined) this.#commit(place);
  }

  failed(position: Long, key: string, failure: Failure): void {
    const place = this.#places.of(key);
    if (place.leaving !== undefined) place.leaving.failure = failure;
    else if (place.aside === undefined) this.#leave(place, position, 1, failure);
    else {
      if (place.aside.closing) this.#queueBehind(place, place.aside);
      this.#failAgain(place, place.aside, failure);
    }
  }

  committed(position: Long, key: string): void {
    const place = this.#places.of(key);
    if (place.leaving !== undefined) this.#left(place, position, place.leaving);
    else if (place.aside === undefined) this.#settle(place, position);
    else this.#asideCommitted(place, place.aside);
    this.#startIdle();
  }

  /** A stream has moved on: the event is handled again. */
  conflicted(position: Long, key: string): void {
    const place = this.#places.of(key);
    place.state = 'running';
    if (place.aside?.closing === true) this.#queueBehind(place, place.aside);
    const entry = place.queue.find((one) => one.position === position);
    this.#effects.push({ do: 'run', position, key, item: entry?.item });
  }

  found(key: string, positions: readonly Long[], all: boolean): void {
    const place = this.#places.find(key);
    place?.aside?.found(positions, all);
    if (place?.state === 'ran') this.#commit(place);
  }

  /** The time to try a key again has come. */
  due(key: string): void {
    const place = this.#places.find(key);
    if (place?.aside === undefined || place.aside.parked || place.state !== 'idle') return;
    place.aside.due = true;
    this.#start(place);
  }

  /** An operator has released a parked key. */
  released(key: string): void {
    const aside = this.#places.find(key)?.aside;
    if (aside === undefined || !this.#parked.delete(key)) return;
    aside.parked = false;
    aside.attempts = 0;
    this.due(key);
  }

  #start(place: Place<Item>): void {
    if (place.state !== 'idle') return;
    const { aside, key } = place;
    const [first] = place.queue;
    const next =
      aside === undefined ? first : aside.due ? { position: aside.position, item: undefined } : undefined;
    if (next === undefined) return;
    if (!this.#waiting.admits(place, next.position)) return;
    if (aside !== undefined) aside.due = false;
    place.state = 'running';
    this.#window.active++;
    this.#effects.push({ do: 'run', position: next.position, key, item: next.item });
  }

  #startIdle(): void {
    this.#setSlowAside();
    this.#waiting.startIdle((place) => this.#start(place));
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
      if (aside.mustBeLookedUp)
        this.#effects.push({ do: 'find', after: this.#places.lookUp(place), upTo: this.#window.read });
      return;
    }
    place.state = 'committing';
    this.#marked = Math.max(this.#marked, aside.position);
    const moved = { key, from: aside.position, next } as const;
    const step = { ...moved, state: 'retrying', attempts: 0, retryInMs: 0, error: null } as const;
    aside.closing = next === 0;
    aside.stepTo = next;
    this.#effects.push({ do: 'commit', position: aside.position, key, marks: { aside: step } });
  }

  #asideCommitted(place: Place<Item>, aside: AsideQueue): void {
    const { stepTo } = aside;
    this.#rest(place);
    if (stepTo === undefined) return this.#wait(place, aside);
    this.#window.settle(aside.position);
    if (stepTo === 0) place.aside = undefined;
    else aside.moveTo(stepTo);
    this.#start(place);
    this.#places.drop(place);
  }

  /** Sets the key aside, at its first event. */
  #leave(place: Place<Item>, position: Long, attempts: number, failure: Failure | undefined): void {
    const { key } = place;
    const step = { key, from: 0, next: position, ...asideOutcome(attempts, this.attempts, failure) };
    if (failure !== undefined) place.state = 'committing';
    place.leaving = { step, failure: undefined };
    this.#marked = Math.max(this.#marked, position);
    this.#effects.push({ do: 'mark', position, key, marks: { handled: { position, key }, aside: step } });
  }

  /** What was in line waits behind it now; its attempt may still be running. */
  #left(place: Place<Item>, position: Long, { step, failure }: LeavingStep): void {
    place.leaving = undefined;
    const aside = (place.aside = new AsideQueue(position, step.attempts, step.state === 'parked', true));
    place.queue.shift();
    this.#queueBehind(place, aside);
    this.#window.settle(position);
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
      this.#window.outstanding.delete(position);
      aside.push(position);
    }
  }

  #failAgain(place: Place<Item>, aside: AsideQueue, failure: Failure): void {
    const { key } = place;
    const { position } = aside;
    place.state = 'committing';
    aside.stepTo = undefined;
    const outcome = asideOutcome(aside.attempts + 1, this.attempts, failure);
    aside.attempts = outcome.attempts;
    aside.parked = outcome.state === 'parked';
    const step = { key, from: position, next: position, ...outcome };
    this.#effects.push({ do: 'mark', position, key, marks: { aside: step } });
  }

  #wait({ key }: Place<Item>, { parked, attempts }: AsideQueue): void {
    if (parked) this.#parked.add(key);
    else this.#effects.push({ do: 'wait', key, ms: retryDelay(attempts) });
  }

  #settle(place: Place<Item>, position: Long): void {
    place.queue.shift();
    this.#window.settle(position);
    this.#rest(place);
    this.#start(place);
    this.#places.drop(place);
  }

  #rest(place: Place<Item>): void {
    place.state = 'idle';
    this.#waiting.ended(place);
    this.#window.active--;
  }

  #setSlowAside(): void {
    if (!this.#window.isHeldUp) return;
    for (const [position, place] of this.#window.outstanding) {
      if (place.state === 'running' && place.leaving === undefined && place.aside === undefined)
        this.#leave(place, position, 0, undefined);
      return;
    }
  }
}
