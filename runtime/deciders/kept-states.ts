import type { Long, Uuid } from '../../contracts/scalars.js';

/** Which state: of a decider, in a version, of a stream. */
export interface StateName {
  readonly decider: string;
  readonly version: number;
  readonly streamId: Uuid;
}

/** A state that outlives its host, as JSON. */
export interface KeptState {
  readonly position: Long;
  /** The event at that position. */
  readonly eventId: Uuid;
  readonly state: string;
}

/** States in the store: a cache, which may be emptied at any time. */
export interface KeptStates {
  find(name: StateName): Promise<KeptState | undefined>;
  keep(name: StateName, state: KeptState): Promise<void>;
}
