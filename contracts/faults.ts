import type { Fault } from './problems.js';
import type { WrittenAt } from './written-numbers.js';

/** So many are listed; of the others it is only said how many there are. */
const maxFaults = 100;

/** The faults of what was sent: the first ones, and the number of all. */
export class Faults extends Array<Fault> {
  /** Those that are not listed; set only when there are some, since every body that is decoded has one of these. */
  declare more?: number;

  constructor(
    /** How the numbers of a body were written. */
    readonly writtenAt?: WrittenAt,
  ) {
    super();
  }

  get found(): number {
    return this.length + (this.more ?? 0);
  }

  override push(fault: Fault): number {
    if (this.length < maxFaults) return super.push(fault);
    this.more = (this.more ?? 0) + 1;
    return this.length;
  }

  /** What a problem says of them. */
  get listed(): { readonly errors: readonly Fault[]; readonly extensions?: { readonly errorCount: number } } {
    const errors = Array.from(this);
    return this.found > errors.length ? { errors, extensions: { errorCount: this.found } } : { errors };
  }
}

/** Decoders that are given these also report properties that nobody declared. */
export class StrictFaults extends Faults {}
