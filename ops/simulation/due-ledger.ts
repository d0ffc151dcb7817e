import { Command, Event } from '../../contracts/message.js';
import type { Unit } from '../../contracts/unit-store.js';
import type { Findings } from './engine-run.js';

/** What a timer sends. */
export class Remind extends Command {
  declare n: number;
}
class Reminded extends Event {
  declare n: number;
}
/** What a printer does, many at once. */
export class Print extends Command {
  declare n: number;
}
/** What a bank does: two at once, and one after another. */
export class Pay extends Command {
  declare n: number;
}
class Done extends Event {
  declare n: number;
}

const lanes = 4;
export const laneOf = (n: number): string => `lane-${n % lanes}`;

export const reminded = (n: number): Reminded => Reminded.of({ n });
export const done = (n: number): Done => Done.of({ n });

/** What was asked for, and what has become of it; timers and requests are counted together. */
export class DueLedger {
  readonly #asked = new Map<number, 'waits' | 'done' | 'cancelled'>();
  /** Requests of ordered lanes, as they were asked for. */
  readonly #ordered: number[] = [];
  readonly #called = new Set<number>();
  /** How many of those that were asked for have not ended. */
  waiting = 0;

  constructor(private readonly found: Findings) {}

  get left(): readonly number[] {
    return [...this.#asked].flatMap(([n, state]) => (state === 'waits' ? [n] : []));
  }

  asked(n: number, isOrdered = false): void {
    this.#asked.set(n, 'waits');
    this.waiting++;
    if (isOrdered) this.#ordered.push(n);
  }

  /** By a commit that has just happened. */
  cancelled(n: number): void {
    if (this.#asked.get(n) === 'waits') this.#ended(n, 'cancelled');
  }

  /** A call of an ordered lane begins. */
  called(n: number): void {
    if (this.#called.has(n)) return;
    this.#called.add(n);
    const before = this.#ordered.slice(0, this.#ordered.indexOf(n));
    this.found.must(
      before.every((one) => laneOf(one) !== laneOf(n) || this.#asked.get(one) !== 'waits'),
      'a request of an ordered lane was called before an earlier one had ended',
    );
  }

  /** An answer came for a request that is said to have been cancelled. */
  dropped(n: number): void {
    this.found.must(
      this.#asked.get(n) === 'cancelled',
      `request ${n} was dropped, and nobody had cancelled it`,
    );
  }

  committed({ events }: Unit): void {
    for (const { envelope } of events) {
      if (envelope.messageType !== 'Reminded' && envelope.messageType !== 'Done') continue;
      const { n } = envelope.payload as Done;
      const state = this.#asked.get(n);
      this.found.must(state !== 'done', `${n} was done twice`);
      this.found.must(state !== 'cancelled', `${n} was cancelled, and is done`);
      this.#ended(n, 'done');
    }
  }

  #ended(n: number, as: 'done' | 'cancelled'): void {
    if (this.#asked.get(n) === 'waits') this.waiting--;
    this.#asked.set(n, as);
  }
}
