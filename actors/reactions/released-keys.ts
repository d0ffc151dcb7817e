import { setTimeout as pause } from 'node:timers/promises';
import type { AsideKey, ReactionStore } from '../../contracts/reaction-store.js';
import type { Long } from '../../contracts/scalars.js';
import type { Line } from '../../runtime/reactions/line.js';

type LookingLine = Pick<Line<unknown>, 'parkedKeys' | 'released' | 'waiting'>;

/** How many released keys are read at once. */
const pageSize = 200;
const waitMs = 50;
/** The shortest time between two looks. */
const lookAgainMs = 500;

/** Finds parked keys of a cursor that an operator has released, or whose event an operator has given up. */
export class ReleasedKeys {
  #isLooking = false;
  #mustLookAgain = false;
  readonly #givenUp = new Set<Long>();

  constructor(
    private readonly reactions: Pick<ReactionStore, 'asideKeys' | 'retryingKeys'>,
    private readonly cursor: string,
  ) {}

  /** Whether an operator gave up this event of a key that was set aside. */
  isGivenUp(position: Long): boolean {
    return this.#givenUp.has(position);
  }

  /** The keys that were set aside before the cursor was taken. */
  async taken(): Promise<readonly AsideKey[]> {
    const keys = await this.reactions.asideKeys(this.cursor);
    for (const key of keys) this.#note(key);
    return keys.map(asTaken);
  }

  #note({ position, isGivenUp }: AsideKey): void {
    if (isGivenUp) this.#givenUp.add(position);
  }

  /** One look after the other: an answer that comes late could be from before the key was parked again. */
  async look(line: LookingLine, ring: () => void, signal: AbortSignal): Promise<void> {
    this.#mustLookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#mustLookAgain && !signal.aborted) {
        this.#mustLookAgain = false;
        await this.#lookOnce(line, ring, signal);
        // An operator may release very many, chunk by chunk.
        await rest(lookAgainMs, signal);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  /** Page by page: the next one is read when no key of the last one waits anymore. */
  async #lookOnce(line: LookingLine, ring: () => void, signal: AbortSignal): Promise<void> {
    const parked = new Set(line.parkedKeys);
    let after = '';
    while (parked.size > 0) {
      const page = await this.reactions.retryingKeys(this.cursor, after, pageSize);
      for (const found of page) this.#release(found, parked, line);
      ring();
      if (page.length < pageSize) return;
      after = page.at(-1)?.key ?? after;
      while (line.waiting > 0 && !signal.aborted) await rest(waitMs, signal);
      if (signal.aborted) return;
    }
  }

  #release(found: AsideKey, parked: ReadonlySet<string>, line: LookingLine): void {
    if (!parked.has(found.key)) return;
    this.#note(found);
    line.released(found.key);
  }
}

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

/** What another version could not handle is tried again by the host that takes the cursor. */
const asTaken = (key: AsideKey): AsideKey =>
  key.error?.startsWith('process-version: ') === true ? { ...key, state: 'retrying', retryInMs: 0 } : key;
