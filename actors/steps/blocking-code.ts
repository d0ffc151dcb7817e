import { Unhandled } from './step-errors.js';

/** A host that is blocked this long may lose its leases: the next one is blocked by the same event. */
const longestMs = 2_000;
const most = 1_000;

/** Remembers the events whose code has blocked this host. */
export class BlockingCode {
  readonly #blocked = new Map<string, number>();

  /** Runs code for an event; one that has blocked the host before, and was not committed, is parked instead. */
  run<T>(work: string, eventId: string, code: () => T): T {
    const id = `${work} ${eventId}`;
    const blockedMs = this.#blocked.get(id);
    // Released, it may run once more.
    this.#blocked.delete(id);
    if (blockedMs !== undefined) throw new Unhandled(blocks(blockedMs));
    const startedAt = performance.now();
    try {
      return code();
    } finally {
      const ms = performance.now() - startedAt;
      if (ms > longestMs) this.#remember(id, ms);
    }
  }

  #remember(id: string, ms: number): void {
    if (this.#blocked.size >= most) this.#blocked.clear();
    this.#blocked.set(id, ms);
  }
}

const blocks = (ms: number): string =>
  `It blocked this host for ${(ms / 1_000).toFixed(1)} seconds; another host took over meanwhile, so its commit was refused. Do long work in a receptor that awaits it.`;

export const blockingCode = new BlockingCode();
