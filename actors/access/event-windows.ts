/** Emits the event of an occurrence at `at`; it stands for `count` of them, of which it was the last. */
type Emit = (at: number, count: number) => void;

interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs the task once; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

interface Window {
  readonly caller: string;
  readonly action: string;
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
 * Coalesces repeated events: of what a caller does, the first few of a minute are emitted at once, the further ones as
 * one event with their count when the minute is over.
 */
export class EventWindows {
  /** In the order in which they opened, so the first is the next to close. */
  readonly #windows = new Set<Window>();
  /** By caller and action: every request looks here, and joining the two would take longer than all the rest. */
  readonly #known = new Map<string, Map<string, Window>>();
  #cancelTimer: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.#windows.size;
  }

  add(caller: string, action: string, individually: number, emit: Emit): void {
    const now = this.clock.now();
    const known = this.#known.get(caller)?.get(action);
    if (known !== undefined && isOpen(known, now)) {
      known.last = now;
      known.emit = emit;
      known.further++;
      if (known.emitted < individually) this.#emit(known, 1);
      return;
    }
    if (known !== undefined) this.#close(known);
    this.#open({ caller, action, opened: now, emitted: 0, further: 1, last: now, emit });
  }

  /** Emits everything that waits for the end of its minute. */
  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (const window of this.#windows) this.#close(window);
  }

  #open(window: Window): void {
    const { caller, action } = window;
    const actions = this.#known.get(caller) ?? new Map<string, Window>();
    this.#known.set(caller, actions.set(action, window));
    this.#windows.add(window);
    this.#emit(window, 1);
    const [oldest] = this.#windows;
    if (this.#windows.size > maxWindows && oldest !== undefined) this.#close(oldest);
    this.#cancelTimer ??= this.clock.after(windowMs, () => this.#closeDue());
  }

  #closeDue(): void {
    this.#cancelTimer = undefined;
    const now = this.clock.now();
    for (const window of this.#windows) {
      if (isOpen(window, now)) {
        this.#cancelTimer = this.clock.after(window.opened + windowMs - now, () => this.#closeDue());
        return;
      }
      this.#close(window);
    }
  }

  #close(window: Window): void {
    const { caller, action } = window;
    this.#windows.delete(window);
    const actions = this.#known.get(caller);
    actions?.delete(action);
    if (actions?.size === 0) this.#known.delete(caller);
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
