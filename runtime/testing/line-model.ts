import type { Long } from '../../contracts/scalars.js';
import { Line } from '../reactions/line.js';
import type { LineEffect } from '../reactions/line-effects.js';
import { ModelProgress, type ModelRules, type ModelUnit } from './model-progress.js';

interface ModelEvent {
  readonly position: Long;
  readonly key: string;
}

/** What went wrong in a run, and what it has exercised. */
export interface ModelOutcome {
  readonly finished: boolean;
  readonly lost: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  readonly mostDone: number;
  readonly deaths: number;
  readonly overtaken: number;
  readonly setAside: number;
  readonly slow: number;
  readonly parked: number;
  readonly back: number;
}

/** Something that will happen, in any order with the others. */
interface Pending {
  readonly owner: Owner | undefined;
  /** How many effects have to be stored before it may happen. */
  readonly notBefore: number;
  readonly happen: () => void;
}

interface Owner {
  readonly line: Line<ModelEvent>;
  readonly epoch: number;
  alive: boolean;
}

const keys = 25;
const attempts = 3;
const maxSteps = 60_000;

/** Several owners of one cursor, which steal it from each other and die, over a store that follows the rules. */
export class LineModel {
  readonly #store: ModelProgress;
  readonly #log: ModelEvent[] = [];
  readonly #failuresLeft = new Map<Long, number>();
  /** Events that cause nothing. */
  readonly #passed = new Set<Long>();
  readonly #pending: Pending[] = [];
  readonly #owners: Owner[] = [];
  readonly #counts = { deaths: 0, overtaken: 0, setAside: 0, slow: 0, parked: 0, back: 0 };
  #random: () => number;

  constructor(
    seed: number,
    rules: ModelRules,
    private readonly events: number,
  ) {
    this.#random = seeded(seed);
    this.#store = new ModelProgress(rules);
    // Positions have gaps: events of other types and partitions.
    let position = 0;
    for (let index = 0; index < events; index++) {
      position += 1 + Math.floor(this.#random() * 3);
      this.#log.push({ position, key: `key-${Math.floor(this.#random() * keys)}` });
      if (this.#random() < 0.1) this.#passed.add(position);
      else if (this.#random() < 0.12) this.#failuresLeft.set(position, 1 + Math.floor(this.#random() * 4));
    }
  }

  run(): ModelOutcome {
    const faults = Math.floor(maxSteps / 10);
    let steps = 0;
    for (; steps < maxSteps && !this.#isFinished; steps++) {
      if (this.#owners.length === 0 || (steps < faults && this.#random() < 0.0008)) this.#takeCursor();
      if (steps < faults && this.#random() < 0.0012) this.#kill();
      if (this.#random() < 0.02) this.#releaseOne();
      this.#step();
    }
    return { ...this.#verdict(), ...this.#counts, mostDone: this.#store.mostDone };
  }

  get #isFinished(): boolean {
    return (
      this.#owners.some(({ line }) => line.isIdle && line.read >= (this.#log.at(-1)?.position ?? 0)) &&
      this.#store.aside.size === 0
    );
  }

  #verdict(): Pick<ModelOutcome, 'finished' | 'lost' | 'doubled' | 'outOfOrder'> {
    const { effects } = this.#store;
    const keyOf = new Map(this.#log.map(({ position, key }) => [position, key]));
    const last = new Map<string, Long>();
    let outOfOrder = 0;
    for (const position of effects) {
      const key = keyOf.get(position) ?? '';
      if (position < (last.get(key) ?? 0)) outOfOrder++;
      last.set(key, position);
    }
    const distinct = new Set(effects).size;
    const finished = this.#isFinished;
    return {
      finished,
      lost: this.events - this.#passed.size - distinct,
      doubled: effects.length - distinct,
      outOfOrder,
    };
  }

  #takeCursor(): void {
    const progress = this.#store.take();
    const line = new Line<ModelEvent>(progress, [...this.#store.aside.values()], attempts);
    const owner: Owner = { line, epoch: progress.epoch, alive: true };
    this.#owners.push(owner);
    this.#perform(owner);
    this.#readOn(owner);
  }

  /** What is on its way to the store arrives later, or never. */
  #kill(): void {
    const owner = this.#owners[Math.floor(this.#random() * this.#owners.length)];
    if (owner === undefined) return;
    this.#counts.deaths++;
    this.#leave(owner);
  }

  #leave(owner: Owner): void {
    owner.alive = false;
    const index = this.#owners.indexOf(owner);
    if (index >= 0) this.#owners.splice(index, 1);
  }

  #releaseOne(): void {
    for (const row of this.#store.aside.values()) {
      if (row.state !== 'parked') continue;
      this.#store.release(row.key);
      for (const owner of this.#owners)
        this.#later(owner, () => {
          owner.line.released(row.key);
          this.#perform(owner);
        });
      return;
    }
  }

  #readOn(owner: Owner): void {
    this.#later(owner, () => {
      const { line } = owner;
      if (line.outstanding < 200) {
        const from = this.#log.findIndex(({ position }) => position > line.read);
        const next = from < 0 ? [] : this.#log.slice(from, from + 40);
        for (const event of next) line.offer(event.position, event.key, event);
        line.readTo(next.at(-1)?.position ?? line.read);
      }
      this.#perform(owner);
      this.#readOn(owner);
    });
  }

  #perform(owner: Owner): void {
    for (const effect of owner.line.take()) this.#effect(owner, effect);
  }

  #effect(owner: Owner, effect: LineEffect<ModelEvent>): void {
    const { line } = owner;
    switch (effect.do) {
      case 'run':
        return this.#runEvent(owner, effect.position, effect.key);
      case 'commit':
      case 'mark':
        return this.#send(owner, effect);
      case 'wait':
        return this.#later(owner, () => line.due(effect.key));
      case 'find': {
        const { after, upTo } = effect;
        return this.#later(owner, () => {
          for (const [key, at] of after) {
            const all = this.#log.filter(
              (event) => event.key === key && event.position > at && event.position <= upTo,
            );
            const some = all.slice(0, 3).map(({ position }) => position);
            line.found(key, some, some.length === all.length);
          }
        });
      }
    }
  }

  #runEvent(owner: Owner, position: Long, key: string): void {
    const isSlow = this.#random() < 0.02;
    const wait = isSlow ? 150 : 0;
    this.#later(
      owner,
      () => {
        const left = this.#failuresLeft.get(position) ?? 0;
        if (this.#passed.has(position)) return owner.line.passed(position, key);
        if (left === 0) return owner.line.ran(position, key);
        this.#failuresLeft.set(position, left - 1);
        owner.line.failed(position, key, { error: 'out of stock', park: this.#random() < 0.1 });
      },
      wait,
    );
  }

  #send(
    owner: Owner,
    { do: what, position, key, marks }: LineEffect<ModelEvent> & { do: 'commit' | 'mark' },
  ): void {
    const unit: ModelUnit = {
      epoch: owner.epoch,
      settledTo: owner.line.settledTo(),
      marks,
      effect: what === 'commit' && !this.#passed.has(position) ? position : undefined,
    };
    this.#later(undefined, () => {
      if (!owner.alive && this.#random() < 0.5) return;
      if (what === 'commit' && this.#random() < 0.03)
        return this.#answer(owner, () => owner.line.conflicted(position, key));
      const answer = this.#store.commit(unit);
      if (answer === 'committed') this.#count(unit);
      this.#answer(owner, () => {
        if (answer === 'committed') return owner.line.committed(position, key);
        this.#counts.overtaken++;
        this.#leave(owner);
      });
    });
  }

  #answer(owner: Owner, answer: () => void): void {
    this.#later(owner, answer);
  }

  #count({ marks: { aside } }: ModelUnit): void {
    if (aside === undefined) return;
    if (aside.from === 0) this.#counts.setAside++;
    if (aside.from === 0 && aside.attempts === 0) this.#counts.slow++;
    if (aside.state === 'parked') this.#counts.parked++;
    if (aside.next === 0) this.#counts.back++;
  }

  #later(owner: Owner | undefined, happen: () => void, effects = 0): void {
    this.#pending.push({
      owner,
      happen,
      notBefore: effects === 0 ? 0 : this.#store.effects.length + effects,
    });
  }

  #step(): void {
    // A slow one happens when it is its time, or when nothing else does.
    for (let tries = 0; tries < 20; tries++) {
      const index = Math.floor(this.#random() * this.#pending.length);
      const pending = this.#pending[index];
      if (pending === undefined) return;
      if (pending.notBefore > this.#store.effects.length && tries < 19) continue;
      this.#pending[index] = this.#pending.at(-1) ?? pending;
      this.#pending.pop();
      if (pending.owner?.alive === false) return;
      pending.happen();
      if (pending.owner !== undefined) this.#perform(pending.owner);
      return;
    }
  }
}

/** Pseudo-random numbers between 0 and 1. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
