import * as fc from 'fast-check';
import { Problem } from '../../contracts/problems.js';
import type { FoldRules } from '../../runtime/perspectives/fold/fold.js';
import type { PerspectiveStore } from '../../runtime/perspectives/perspective-store.js';
import { ParkedRowsRetry } from '../perspectives/retry-parked-rows.js';
import { RunnerProgress } from '../perspectives/runner-progress.js';
import type { RoundEnd, RoundPorts } from '../perspectives/perspective-round.js';
import { StreamRewind } from '../perspectives/stream-rewind.js';

export interface Append {
  readonly do: 'append';
  readonly stream: number;
  /** 0 closes the account, 13 fails until the perspective is fixed. */
  readonly amount: number;
  /** How long before its neighbors the event happened; 0 = in order. */
  readonly lateBy: number;
  readonly foreign: boolean;
}

/** A runner takes one step, or dies in the middle of it; two runners may conflict. */
interface Step {
  readonly do: 'step';
  readonly runner: 0 | 1;
  readonly dies: 'no' | 'before the write' | 'after the write';
}

export type Move = Append | Step;

const append: fc.Arbitrary<Append> = fc.record({
  do: fc.constant('append' as const),
  stream: fc.nat(1),
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }) },
    fc.constant(0),
    fc.constant(13),
  ),
  lateBy: fc.oneof(fc.constant(0), fc.nat(30)),
  foreign: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('step' as const),
  runner: fc.constantFrom(0 as const, 1 as const),
  dies: fc.oneof(
    { weight: 4, arbitrary: fc.constant('no' as const) },
    fc.constantFrom('before the write' as const, 'after the write' as const),
  ),
});

export const history = fc.record({
  moves: fc.array(fc.oneof({ weight: 3, arbitrary: append }, step), {
    minLength: 1,
    maxLength: 100,
    size: 'max',
  }),
  pageSize: fc.integer({ min: 1, max: 8 }),
  snapshotEvery: fc.integer({ min: 1, max: 3 }),
});

/** Runners that a test drives step by step. */
export class Runners {
  readonly #progress: [RunnerProgress, RunnerProgress] = [new RunnerProgress(), new RunnerProgress()];

  constructor(
    private readonly rules: FoldRules,
    private readonly store: PerspectiveStore,
    private readonly pageSize: number,
  ) {}

  async step({ runner, dies }: Omit<Step, 'do'>): Promise<RoundEnd | undefined> {
    const progress = this.#progress[runner];
    try {
      return await this.#round(progress, dies);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'died') throw error;
      this.#progress[runner] = new RunnerProgress();
      return undefined;
    }
  }

  /** Runs until there is nothing left to do; parked keys are retried once. */
  async finish(): Promise<void> {
    this.#progress[0] = new RunnerProgress();
    for (;;) {
      const end = await this.step({ runner: 0, dies: 'no' });
      if (end?.ended === 'moved' && !end.behind && this.#progress[0].parkedRetried === 'all') return;
    }
  }

  async #round(progress: RunnerProgress, dies: Step['dies']): Promise<RoundEnd> {
    const rounds = new ParkedRowsRetry(this.#ports(dies), { pageSize: this.pageSize, attempts: 1 }, progress);
    if (progress.parkedRetried !== 'all') {
      const repaired = await rounds.repair();
      if (repaired.ended === 'overtaken') return repaired;
    }
    const end = await rounds.run();
    return end.ended === 'late'
      ? new StreamRewind(this.#ports(dies), { pageSize: 1, attempts: 1 }, progress).rewind(end.page)
      : end;
  }

  #ports(dies: Step['dies']): RoundPorts {
    const { store } = this;
    const dying: PerspectiveStore = {
      position: () => store.position(),
      page: (...args) => store.page(...args),
      models: (...args) => store.models(...args),
      parked: (keys) => store.parked(keys),
      release: (key) => store.release(key),
      snapshot: (...args) => store.snapshot(...args),
      history: (...args) => store.history(...args),
      rewinds: store.rewinds,
      write: async (...args) => {
        if (dies === 'before the write') throw new Problem('died');
        const isWritten = await store.write(...args);
        if (dies === 'after the write') throw new Problem('died');
        return isWritten;
      },
    };
    return { ...this.rules, store: dying, report: () => undefined, emit: () => Promise.resolve() };
  }
}
