import type { Long } from '../../contracts/scalars.js';
import { Slots } from '../steps/slots.js';

/** How many events the cursors of a host handle at once. */
const maxInFlight = 256;

interface Waiting {
  readonly name: string;
  readonly enter: () => void;
}

/** Slots that the cursors of a host share. */
export class InFlight {
  readonly #slots: Slots;
  readonly #waiting: Waiting[] = [];

  constructor(limit = maxInFlight) {
    this.#slots = new Slots(limit);
  }

  /** The name is that of the reaction or process. */
  async enter(name: string): Promise<void> {
    if (this.#slots.mayTake(name)) this.#slots.take(name);
    else await new Promise<void>((enter) => this.#waiting.push({ name, enter }));
  }

  leave(name: string): void {
    this.#slots.giveBack(name);
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#slots.take(next.name);
      next.enter();
    }
  }

  #next(): Waiting | undefined {
    const index = this.#waiting.findIndex(({ name }) => this.#slots.mayTake(name));
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }
}

/** The slots of one cursor, by the positions of its events. */
export class HeldSlots {
  readonly #held = new Set<Long>();

  constructor(
    private readonly inFlight: InFlight,
    private readonly name: string,
  ) {}

  async enter(position: Long): Promise<void> {
    await this.inFlight.enter(this.name);
    this.#held.add(position);
  }

  leave(position: Long): void {
    if (this.#held.delete(position)) this.inFlight.leave(this.name);
  }
}
