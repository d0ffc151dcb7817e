import type { Fault } from './problems.js';
import type { WrittenAt } from './number-source-text.js';

/** The number of faults that are listed; the rest are only counted. */
const maxFaults = 100;

/** The faults of an input: the first ones, and how many there are in all. */
export class Faults extends Array<Fault> {
  /** The number of faults not listed. Not initialized: every decoded body creates an instance, and few have faults. */
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

  /** The members of a problem that describe the faults. */
  get listed(): { readonly errors: readonly Fault[]; readonly extensions?: { readonly errorCount: number } } {
    const errors = Array.from(this);
    return this.found > errors.length ? { errors, extensions: { errorCount: this.found } } : { errors };
  }
}

/** Makes decoders also report undeclared properties. */
export class StrictFaults extends Faults {}
