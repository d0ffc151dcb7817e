import type { KeptState, KeptStates, StateName } from '../deciders/kept-states.js';

/** The states of deciders in memory, as `svc_states` has them. */
export class InMemoryKeptStates implements KeptStates {
  readonly #states = new Map<string, KeptState>();

  get size(): number {
    return this.#states.size;
  }

  async find(name: StateName): Promise<KeptState | undefined> {
    return this.#states.get(keyOf(name));
  }

  async keep(name: StateName, state: KeptState): Promise<void> {
    this.#states.set(keyOf(name), state);
  }

  clear(): void {
    this.#states.clear();
  }
}

const keyOf = ({ decider, version, streamId }: StateName): string => `${decider} ${version} ${streamId}`;
