import type { CommandGuard } from '../commands/command-handler.js';
import type { CursorWork } from './cursor-work.js';
import { Unhandled } from './step-errors.js';

/** A host that is blocked this long may lose its leases: the next one is blocked by the same event. */
const longestMs = 2_000;
const most = 1_000;

/** Knows the events whose code blocks hosts: this one, or, if there is a supervisor, those that it had to replace. */
export class BlockingCode {
  readonly #blocked = new Map<string, number>();
  readonly #numbers = new Map<string, number>();

  constructor(
    private readonly guard?: CommandGuard,
    private readonly usedMs = processorMs,
  ) {}

  /** Runs code because of an event or timer; one that has blocked hosts before is parked instead. */
  run<T>({ kind, name }: Pick<CursorWork, 'kind' | 'name'>, cause: string, code: () => T): T {
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
    const before = this.usedMs();
    try {
      return code();
    } finally {
      const ms = this.usedMs() - before;
      if (ms > longestMs) this.#remember(id, ms);
    }
  }

  #remember(id: string, ms: number): void {
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

/** Not the time of the clock: a host that is frozen, or waits for a processor, is not blocked by this code. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const blocks = (ms: number): string =>
  `It blocked this host for ${(ms / 1_000).toFixed(1)} seconds; another host took over meanwhile, so its commit was refused. Do long work in a receptor that awaits it.`;
