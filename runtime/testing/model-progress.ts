import type { AsideKey, Progress } from '../../contracts/reaction-store.js';
import type { Long } from '../../contracts/scalars.js';
import type { Marks } from '../reactions/line-effects.js';

/** The rules of a commit, each of which a test can switch off to show that it is needed. */
export interface ModelRules {
  readonly epoch: boolean;
  readonly keyInMark: boolean;
  readonly asideDone: boolean;
}

export const allRules: ModelRules = { epoch: true, keyInMark: true, asideDone: true };

export interface ModelUnit {
  readonly epoch: number;
  readonly settledTo: Long;
  readonly marks: Marks;
  /** The event whose effect the unit stores. */
  readonly effect: Long | undefined;
}

/** One cursor of the store by the rules of the commit procedure. */
export class ModelProgress {
  readonly effects: Long[] = [];
  readonly aside = new Map<string, AsideKey>();
  mostDone = 0;
  #epoch = 0;
  #position: Long = 0;
  #done = new Set<Long>();

  constructor(private readonly rules: ModelRules) {}

  take(): Progress {
    this.#epoch++;
    return { epoch: this.#epoch, position: this.#position, done: [...this.#done] };
  }

  release(key: string): void {
    const row = this.aside.get(key);
    if (row !== undefined) this.aside.set(key, { ...row, state: 'retrying', attempts: 0, retryInMs: 0 });
  }

  commit(unit: ModelUnit): 'committed' | 'overtaken' {
    if (this.#isOvertaken(unit)) return 'overtaken';
    const { handled, aside } = unit.marks;
    if (aside !== undefined) {
      if (aside.next === 0) this.aside.delete(aside.key);
      else this.aside.set(aside.key, { ...aside, position: aside.next, isGivenUp: false });
      if (aside.from > 0 && aside.next !== aside.from && this.rules.asideDone) this.#done.add(aside.from);
    }
    if (handled !== undefined) this.#done.add(handled.position);
    if (unit.effect !== undefined) this.effects.push(unit.effect);
    this.#position = Math.max(this.#position, unit.settledTo);
    for (const position of this.#done) if (position <= this.#position) this.#done.delete(position);
    this.mostDone = Math.max(this.mostDone, this.#done.size);
    return 'committed';
  }

  #isOvertaken({ epoch, marks: { handled, aside } }: ModelUnit): boolean {
    if (this.rules.epoch && epoch !== this.#epoch) return true;
    if (aside !== undefined && aside.from !== (this.aside.get(aside.key)?.position ?? 0)) return true;
    if (handled === undefined) return false;
    const { position, key } = handled;
    return (
      position <= this.#position || this.#done.has(position) || (this.rules.keyInMark && this.aside.has(key))
    );
  }
}
