/** Emits the event of an occurrence at `at`; it stands for `count` of them, of which it was the last. */
type Emit = (at: number, count: number) => void;

interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs the task once; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

interface Window {
  readonly opened: number;
  emitted: number;
  /** Occurrences that have not been emitted yet. */
  further: number;
  last: number;
  emit: Emit;
}

const windowMs = 60_000;

/** Above this, the oldest window is closed early. */
const maxWindows = 4_096;

/**
 * Coalesces repeated events: of each key, the first few of a minute are emitted at once, the further ones as one event
 * with their count when the minute is over.
 */
export class EventWindows {
  /** In the order in which they opened, so the first is the next to close. */
  readonly #windows = new Map<string, Window>();
  #cancelTimer: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.#windows.size;
  }

  add(key: string, individually: number, emit: Emit): void {
    const now = this.clock.now();
    const known = this.#windows.get(key);
    if (known !== undefined && isOpen(known, now)) {
      known.last = now;
      known.emit = emit;
      known.further++;
      if (known.emitted < individually) this.#emit(known, 1);
      return;
    }
    if (known !== undefined) this.#close(key, known);
    this.#open(key, { opened: now, emitted: 0, further: 1, last: now, emit });
  }

  /** Emits everything that waits for the end of its minute. */
  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (const [key, window] of this.#windows) this.#close(key, window);
  }

  #open(key: string, window: Window): void {
    this.#windows.set(key, window);
    this.#emit(window, 1);
    const [oldest] = this.#windows;
    if (this.#windows.size > maxWindows && oldest !== undefined) this.#close(...oldest);
    this.#cancelTimer ??= this.clock.after(windowMs, () => this.#closeDue());
  }

  #closeDue(): void {
    this.#cancelTimer = undefined;
    const now = this.clock.now();
    for (const [key, window] of this.#windows) {
      if (isOpen(window, now)) {
        this.#cancelTimer = this.clock.after(window.opened + windowMs - now, () => this.#closeDue());
        return;
      }
      this.#close(key, window);
    }
  }

  #close(key: string, window: Window): void {
    this.#windows.delete(key);
    if (window.further > 0) this.#emit(window, window.further);
  }

  #emit(window: Window, count: number): void {
    window.emitted++;
    window.further = 0;
    window.emit(window.last, count);
  }
}

/** A clock that was set back does not keep a window open. */
const isOpen = ({ opened }: Window, now: number): boolean => now >= opened && now - opened < windowMs;
