import type { HostSlot } from './host-slot.js';

/** The slots of a supervisor, by number. A slot that leaves keeps its number until its host has exited. */
export class HostSlots {
  readonly #slots = new Map<number, HostSlot>();
  readonly #leaving = new Set<HostSlot>();

  constructor(private readonly create: (number: number) => HostSlot) {}

  get all(): readonly HostSlot[] {
    return [...this.#slots].toSorted(([a], [b]) => a - b).map(([, slot]) => slot);
  }

  /** Those that are not about to leave. */
  get staying(): readonly HostSlot[] {
    return this.all.filter((slot) => !this.#leaving.has(slot));
  }

  /** Adds slots with the lowest free numbers until this many stay; returns the new ones. */
  growTo(hosts: number): readonly HostSlot[] {
    const added: HostSlot[] = [];
    for (let number = 1; this.staying.length < hosts; number++) {
      if (this.#slots.has(number)) continue;
      const slot = this.create(number);
      this.#slots.set(number, slot);
      added.push(slot);
    }
    return added;
  }

  /** Marks those with the highest numbers until this many stay; returns the ones that leave now. */
  shrinkTo(hosts: number): readonly HostSlot[] {
    const leaving = this.staying.slice(hosts);
    for (const slot of leaving) this.#leaving.add(slot);
    return leaving;
  }

  delete(slot: HostSlot): void {
    this.#leaving.delete(slot);
    for (const [number, kept] of this.#slots) if (kept === slot) this.#slots.delete(number);
  }
}
