import type { AsideKey, ReactionStore } from '../../contracts/reaction-store.js';
import type { Long } from '../../contracts/scalars.js';
import type { Line } from '../../runtime/reactions/line.js';

/** Finds parked keys of a cursor that an operator has released, or whose event an operator has given up. */
export class ReleasedKeys {
  #isLooking = false;
  #mustLookAgain = false;
  readonly #givenUp = new Set<Long>();

  constructor(
    private readonly reactions: Pick<ReactionStore, 'asideKeys'>,
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

  #note({ position, isGivenUp = false }: AsideKey): void {
    if (isGivenUp) this.#givenUp.add(position);
  }

  /** One look after the other: an answer that comes late could be from before the key was parked again. */
  async look(line: Pick<Line<unknown>, 'parkedKeys' | 'released'>): Promise<void> {
    this.#mustLookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#mustLookAgain) {
        this.#mustLookAgain = false;
        await this.#lookOnce(line);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookOnce(line: Pick<Line<unknown>, 'parkedKeys' | 'released'>): Promise<void> {
    const parked = new Set(line.parkedKeys);
    if (parked.size === 0) return;
    for (const found of await this.reactions.asideKeys(this.cursor)) {
      if (found.state !== 'retrying' || !parked.has(found.key)) continue;
      this.#note(found);
      line.released(found.key);
    }
  }
}

/** What another version could not handle is tried again by the host that takes the cursor. */
const asTaken = (key: AsideKey): AsideKey =>
  key.error?.startsWith('process-version: ') === true ? { ...key, state: 'retrying', retryInMs: 0 } : key;
