import type { CommandGuard } from '../commands/command-handler.js';
import { Unhandled } from './step-errors.js';

/** A host that is blocked this long may lose its leases: the next one is blocked by the same event. */
const longestMs = 2_000;
const readAfterMs = 50;
const most = 1_000;

/** A reaction, a process or an effect. */
interface NamedWork {
  readonly kind: string;
  readonly name: string;
}

interface BlockingClock {
  now(): number;
  /** Of the processor: a host that is frozen, or waits for it, is not blocked by its code. */
  usedMs(): number;
}

/** Knows the events whose code blocks hosts: this one, or, if there is a supervisor, those that it had to replace. */
export class BlockingCode {
  readonly #blocked = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  #read = { at: Number.NEGATIVE_INFINITY, usedMs: 0 };

  constructor(
    private readonly guard?: CommandGuard,
    private readonly clock: BlockingClock = ownClock,
  ) {}

  /** Runs code because of an event or timer; one that has blocked hosts before is parked instead. */
  run<T>({ kind, name }: NamedWork, cause: string, code: () => T): T {
    const work = `${kind} ${name}`;
    const refusal = this.guard?.quarantine.refusalOf(work, { key: cause });
    if (refusal !== undefined) throw new Unhandled(refusal);
    return this.#timed(`${work} ${cause}`, () => this.#watched(work, cause, code));
  }

  #timed<T>(id: string, code: () => T): T {
    const blockedMs = this.#blocked.get(id);
    // Released, it may run once more.
    this.#blocked.delete(id);
    if (blockedMs !== undefined) throw new Unhandled(blocks(blockedMs));
    const from = this.clock.now();
    const used = this.#usedBefore(from);
    try {
      return code();
    } finally {
      if (this.clock.now() - from > longestMs) this.#remember(id, this.clock.usedMs() - used);
    }
  }

  /** Asking for it costs as much as a short step: what is a little older does. */
  #usedBefore(now: number): number {
    if (now - this.#read.at > readAfterMs) this.#read = { at: now, usedMs: this.clock.usedMs() };
    return this.#read.usedMs;
  }

  #remember(id: string, ms: number): void {
    if (ms <= longestMs) return;
    if (this.#blocked.size >= most) this.#blocked.clear();
    this.#blocked.set(id, ms);
  }

  #watched<T>(work: string, cause: string, code: () => T): T {
    if (this.guard === undefined) return code();
    const { watch } = this.guard;
    const number = this.#numbers.get(work) ?? watch.register(work);
    this.#numbers.set(work, number);
    const before = watch.enter(number, { key: cause });
    try {
      return code();
    } finally {
      watch.leave(before);
    }
  }
}

const ownClock: BlockingClock = {
  now: () => performance.now(),
  usedMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

const blocks = (ms: number): string =>
  `It blocked this host for ${(ms / 1_000).toFixed(1)} seconds; another host took over meanwhile, so its commit was refused. Do long work in a receptor that awaits it, or in a worker thread.`;
