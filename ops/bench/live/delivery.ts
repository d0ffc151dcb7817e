import type { Figures } from '../harness/rounds.js';

interface Arrival {
  readonly change: string;
  readonly at: number;
}

/** When changes were committed, as their senders saw it, and when they arrived. */
export class Delivery {
  readonly #committedAt = new Map<string, number>();
  readonly #arrivals: Arrival[] = [];

  committed(id: string, n: number): void {
    this.#committedAt.set(`${id} ${n}`, performance.now());
  }

  received(id: string, n: number): void {
    this.#arrivals.push({ change: `${id} ${n}`, at: performance.now() });
  }

  /** Arrivals of the changes that were committed. */
  get count(): number {
    return this.#counted.length;
  }

  figures(watchersOfRow: number): Figures {
    const counts = new Map(Array.from(this.#committedAt.keys(), (change) => [change, 0]));
    for (const { change } of this.#counted) counts.set(change, (counts.get(change) ?? 0) + 1);
    const sum = (of: (count: number) => number): number =>
      [...counts.values()].reduce((all, count) => all + Math.max(0, of(count)), 0);
    const sorted = this.#counted
      .map(({ change, at }) => Math.max(0, at - (this.#committedAt.get(change) ?? at)))
      .toSorted((x, y) => x - y);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return {
      'p50 ms': at(0.5),
      'p99 ms': at(0.99),
      missed: sum((count) => watchersOfRow - count),
      doubled: sum((count) => count - watchersOfRow),
    };
  }

  /** A change from before may still arrive, at those who watched by then. */
  get #counted(): readonly Arrival[] {
    return this.#arrivals.filter(({ change }) => this.#committedAt.has(change));
  }
}
