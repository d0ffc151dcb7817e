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

  /** The name is that of the reaction or process. Returns what gives the slot back; a second call changes nothing. */
  async enter(name: string, isAside = false): Promise<() => void> {
    const leaveRetries = isAside ? await this.retries.enter() : undefined;
    if (this.#slots.mayTake(name)) this.#slots.take(name);
    else await new Promise<void>((enter) => this.#waitingAs(name).push(enter));
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#leave(name);
      leaveRetries?.();
    };
  }

  #leave(name: string): void {
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
