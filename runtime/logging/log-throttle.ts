const maxPerWindow = 20;
const windowMs = 60_000;
const maxTexts = 1_000;

interface Window {
  readonly startedAt: number;
  count: number;
}

/** Writes a repeated line a few times a minute and counts the rest. */
export class LogThrottle {
  readonly #windows = new Map<string, Window>();

  constructor(
    /** Schedules a report, after `inMs`, of how many lines with this text were suppressed. */
    private readonly later: (text: string, inMs: number, count: () => number) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  mayWrite(text: string): boolean {
    const now = this.now();
    const known = this.#windows.get(text);
    if (known === undefined || now - known.startedAt >= windowMs) {
      if (this.#windows.size >= maxTexts) this.#windows.clear();
      this.#windows.set(text, { startedAt: now, count: 1 });
      return true;
    }
    known.count++;
    if (known.count === maxPerWindow + 1)
      this.later(text, known.startedAt + windowMs - now, () => known.count - maxPerWindow);
    return known.count <= maxPerWindow;
  }
}
