import type { Long } from '../../contracts/scalars.js';
import { Slots } from '../steps/slots.js';
import { RetrySlots } from './retry-slots.js';

/** How many events the cursors of a host handle at once. */
const maxInFlight = 256;

/** Slots that the cursors of a host share. */
export class InFlight {
  readonly #slots: Slots;
  /** Who waits, by the names of reactions and processes. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(
    limit = maxInFlight,
    readonly retries = new RetrySlots(),
  ) {
    this.#slots = new Slots(limit);
  }

  /** The name is that of the reaction or process. */
  async enter(name: string): Promise<void> {
    if (this.#slots.mayTake(name)) this.#slots.take(name);
    else await new Promise<void>((enter) => this.#waitingAs(name).push(enter));
  }

  leave(name: string): void {
    this.#slots.giveBack(name);
    for (const [next, waiting] of this.#waiting)
      while (waiting.length > 0 && this.#slots.mayTake(next)) {
        this.#slots.take(next);
        waiting.shift()?.();
      }
  }

  #waitingAs(name: string): (() => void)[] {
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, waiting);
    return waiting;
  }
}

/** The slots of one cursor, by the positions of its events. */
export class HeldSlots {
  readonly #held = new Map<Long, () => void>();

  constructor(
    private readonly inFlight: InFlight,
    private readonly name: string,
  ) {}

  async enter(position: Long, isAside: boolean): Promise<void> {
    const leave = isAside ? await this.inFlight.retries.enter() : () => undefined;
    await this.inFlight.enter(this.name);
    this.#held.set(position, leave);
  }

  leave(position: Long): void {
    const leave = this.#held.get(position);
    if (leave === undefined) return;
    this.#held.delete(position);
    this.inFlight.leave(this.name);
    leave();
  }
}
