/** So many requests per window. */
export interface Rate {
  readonly limit: number;
  readonly windowSeconds: number;
}

const windows: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/** `100/s`, `1000/min` or `5000/h`. */
export function rateFrom(text: string): Rate | undefined {
  const [, limit, unit = ''] = /^([1-9]\d{0,8})\/(s|min|h)$/.exec(text) ?? [];
  const windowSeconds = windows[unit];
  return limit === undefined || windowSeconds === undefined
    ? undefined
    : { limit: Number(limit), windowSeconds };
}

/** What is left after a request was counted. */
export interface Taken {
  readonly isAllowed: boolean;
  /** How many more are allowed now. */
  readonly remaining: number;
  /** Seconds until the next one is allowed; 0 if one is. */
  readonly retryAfter: number;
  /** Seconds until the whole limit is available again. */
  readonly reset: number;
}

/**
 * A token bucket per key. A bucket is one number: the time at which it is full again. A full one is not stored, and of
 * too many the least recently used is dropped.
 */
export class RateBuckets {
  readonly #fullAt = new Map<string, number>();
  readonly #windowMs: number;
  readonly #perTokenMs: number;

  constructor(
    { limit, windowSeconds }: Rate,
    private readonly maxBuckets = 50_000,
  ) {
    this.#windowMs = windowSeconds * 1000;
    this.#perTokenMs = this.#windowMs / limit;
  }

  get size(): number {
    return this.#fullAt.size;
  }

  /** Takes a token, if there is one. */
  take(key: string, nowMs: number): Taken {
    const before = this.#missingMs(key, nowMs);
    const after = before + this.#perTokenMs;
    const isAllowed = after <= this.#windowMs + rounding;
    if (isAllowed) this.#store(key, nowMs + after);
    return this.#state(isAllowed ? after : before, isAllowed);
  }

  /** Takes several tokens, whether or not there are as many; the debt is less than that. */
  charge(key: string, nowMs: number, tokens: number): void {
    const after = this.#missingMs(key, nowMs) + tokens * this.#perTokenMs;
    this.#store(key, nowMs + Math.min(after, this.#windowMs + (tokens - 1) * this.#perTokenMs));
  }

  /** What is left, without taking any. */
  peek(key: string, nowMs: number): Taken {
    const missing = this.#missingMs(key, nowMs);
    return this.#state(missing, missing + this.#perTokenMs <= this.#windowMs + rounding);
  }

  #state(missingMs: number, isAllowed: boolean): Taken {
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((this.#windowMs - missingMs + rounding) / this.#perTokenMs)),
      retryAfter: Math.max(0, Math.ceil((missingMs + this.#perTokenMs - this.#windowMs - rounding) / 1000)),
      reset: Math.ceil(missingMs / 1000),
    };
  }

  #missingMs(key: string, nowMs: number): number {
    const missing = (this.#fullAt.get(key) ?? 0) - nowMs;
    if (missing > 0) return missing;
    this.#fullAt.delete(key);
    return 0;
  }

  #store(key: string, fullAt: number): void {
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    if (this.#fullAt.size <= this.maxBuckets) return;
    for (const oldest of this.#fullAt.keys()) {
      this.#fullAt.delete(oldest);
      return;
    }
  }
}

/** Milliseconds of rounding in sums of thirds and the like. */
const rounding = 0.001;
