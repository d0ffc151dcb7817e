import type { Long } from '../../contracts/scalars.js';
import type { AsideStep } from '../../contracts/unit-lists.js';
import type { AsideQueue } from './aside-queue.js';
import type { Failure } from './line-effects.js';

type StepState = 'idle' | 'running' | 'ran' | 'committing';

/** One key: its events in line, or aside. */
export interface Place<Item> {
  readonly key: string;
  readonly queue: { readonly position: Long; readonly item: Item }[];
  /** Of the first event, or of the one that is aside. */
  state: StepState;
  /** The commit that sets the key aside is on its way. */
  leaving: LeavingStep | undefined;
  aside: AsideQueue | undefined;
}

export interface LeavingStep {
  readonly step: Omit<AsideStep, 'cursor'>;
  failure: Failure | undefined;
}

/** How many keys are looked up at once. */
const maxLookedUp = 10_000;

/** The keys that a line knows: those with events in line, and those aside. */
export class LinePlaces<Item> {
  readonly #places = new Map<string, Place<Item>>();

  find(key: string): Place<Item> | undefined {
    return this.#places.get(key);
  }

  of(key: string): Place<Item> {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = { key, queue: [], state: 'idle', leaving: undefined, aside: undefined };
      this.#places.set(key, place);
    }
    return place;
  }

  /**
   * The keys whose later events are looked up now, with the events they are at: this one, others that will be tried
   * again, and parked ones of the log that is read for them. Each look reads the log, and an operator may release very
   * many keys.
   */
  lookUp(first: Place<Item>): ReadonlyMap<string, Long> {
    const asides = [first, ...this.#places.values()].flatMap(({ key, aside }) =>
      aside?.mustBeLookedUp === true ? [{ key, aside }] : [],
    );
    const from = asides.reduce(
      (least, { aside }) => (aside.parked ? least : Math.min(least, aside.position)),
      Infinity,
    );
    const after = new Map<string, Long>();
    for (const { key, aside } of asides) {
      if (after.size >= maxLookedUp) break;
      if (aside.position < from || !aside.mustBeLookedUp) continue;
      aside.lookUp();
      after.set(key, aside.position);
    }
    return after;
  }

  /** Forgets a key that nothing waits for. */
  drop({ key, queue, aside }: Place<Item>): void {
    if (queue.length === 0 && aside === undefined) this.#places.delete(key);
  }
}
