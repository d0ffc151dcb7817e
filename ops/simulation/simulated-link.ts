import { Problem } from '../../contracts/problems.js';
import { outcomeUnknown } from '../../runtime/database/sql-error.js';
import type { SimulatedTime } from './simulated-time.js';

/** How often a call goes wrong, each as a share of the calls. */
interface Weather {
  /** Without an effect. */
  readonly refused: number;
  /** After its effect. */
  readonly lost: number;
  /** The effect comes after the caller has given up. */
  readonly late: number;
  /** Takes long, and is answered. */
  readonly slow: number;
}

export const fair: Weather = { refused: 0, lost: 0, late: 0, slow: 0 };
const rough: Weather = { refused: 0.03, lost: 0.03, late: 0.01, slow: 0.03 };

const usualMs = [0.2, 5] as const;
const slowMs = [20, 1_500] as const;
const gaveUpMs = [50, 800] as const;

const unavailable = (): Problem => new Problem('store-unavailable', { retryAfter: 1 });

/** Between hosts and a server: the way there, what the server does and the way back each take their time, or fail. */
export class SimulatedLink {
  faults = 0;

  constructor(
    private readonly time: SimulatedTime,
    public weather: Weather = rough,
    private readonly callMs: readonly [least: number, most: number] = usualMs,
  ) {}

  /** What is only read, or may be done twice. */
  read<T>(effect: () => T | Promise<T>): Promise<T> {
    return this.#call(effect, unavailable, this.#fault());
  }

  /** What happens before its caller gives it up, or not at all. */
  inTime<T>(effect: () => T | Promise<T>): Promise<T> {
    const fault = this.#fault();
    return this.#call(effect, unavailable, fault === 'late' ? 'lost' : fault);
  }

  /** Without an answer nobody knows whether it has happened. Until it does, the signal withdraws it. */
  write<T>(effect: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#call(effect, () => outcomeUnknown(undefined), this.#fault(), signal);
  }

  #call<T>(
    effect: () => T | Promise<T>,
    unanswered: () => unknown,
    fault: keyof Weather | undefined,
    signal?: AbortSignal,
  ): Promise<T> {
    const { time } = this;
    const { host } = time;
    return new Promise((resolve, reject) => {
      const fail = (ms: number, thrown: unknown): void => void time.on(host, ms, () => reject(thrown));
      if (fault === 'refused') return fail(this.#takesMs(), unavailable());
      const answerLost = fault === 'lost' || fault === 'late';
      const happensMs =
        this.#takesMs() + (fault === 'late' || fault === 'slow' ? time.between(...slowMs) : 0);
      if (fault === 'late') fail(time.between(...gaveUpMs), unanswered());
      const withdraw = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      const happens = async (): Promise<void> => {
        signal?.removeEventListener('abort', withdraw);
        try {
          const value = await effect();
          if (fault === 'lost') fail(this.#takesMs(), unanswered());
          else if (!answerLost) time.on(host, this.#takesMs(), () => resolve(value));
        } catch (error) {
          if (!answerLost) fail(this.#takesMs(), error);
          else if (fault === 'lost') fail(this.#takesMs(), unanswered());
        }
      };
      const cancel = time.on(undefined, happensMs, () => void happens());
      signal?.addEventListener('abort', withdraw, { once: true });
    });
  }

  #takesMs(): number {
    return this.time.between(...this.callMs);
  }

  #fault(): keyof Weather | undefined {
    let left = this.time.random();
    for (const [fault, share] of Object.entries(this.weather) as [keyof Weather, number][]) {
      left -= share;
      if (left >= 0) continue;
      this.faults++;
      return fault;
    }
    return undefined;
  }
}
