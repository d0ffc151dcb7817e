import { type Counts, sumOf } from '../../model/recent-counts.js';

/** What hosts had counted before they were replaced: a total must not fall because a host is new. */
export class DepartedCounts {
  #last: ReadonlyMap<string, Counts> = new Map();
  #departed: readonly Counts[] = [];

  /** The total of those that have gone, after the present ones were counted. */
  update(present: ReadonlyMap<string, Counts>): Counts {
    const gone = [...this.#last].filter(([host, counts]) => isGone(counts, present.get(host)));
    this.#departed = [sumOf([...this.#departed, ...gone.map(([, counts]) => counts)])];
    this.#last = present;
    return sumOf(this.#departed);
  }
}

/** A new host of the same name counts from zero. */
const isGone = (last: Counts, now: Counts | undefined): boolean =>
  now === undefined || now.requests < last.requests || now.rejected < last.rejected;
