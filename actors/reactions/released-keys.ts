import type { AsideKey, ReactionStore } from '../../contracts/reaction-store.js';
import type { Line } from '../../runtime/reactions/line.js';

/** Finds parked keys of a cursor that an operator has released. */
export class ReleasedKeys {
  #isLooking = false;
  #mustLookAgain = false;

  constructor(
    private readonly reactions: Pick<ReactionStore, 'asideKeys'>,
    private readonly cursor: string,
  ) {}

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
    for (const { key, state } of await this.reactions.asideKeys(this.cursor))
      if (state === 'retrying' && parked.has(key)) line.released(key);
  }
}

/** What another version could not handle is tried again by the host that takes the cursor. */
export const asTaken = (key: AsideKey): AsideKey =>
  key.error?.startsWith('process-version: ') === true ? { ...key, state: 'retrying', retryInMs: 0 } : key;
