import type { Timestamp, Uuid } from '../../../contracts/scalars.js';
import type {
  EffectCount,
  ListedEffect,
  ShownEffect,
  WaitingLane,
} from '../../../runtime/effects/effect-lists.js';

export interface EffectsPage {
  /** Of one request, in its own JSON format. */
  readonly machine: unknown;
  /** Of all that this host knows, and of those that only the store has. */
  readonly names: readonly string[];
  readonly counts: readonly EffectCount[];
  /** The ten in which the most wait. */
  readonly lanes: readonly WaitingLane[];
  /** By due time. */
  readonly requests: readonly ListedEffect[];
  /** By the clock of the database. */
  readonly now: Timestamp;
}

/** What waits for other systems; never what a request holds. */
export interface EffectsPart {
  page(name: string | undefined, limit: number): Promise<EffectsPage>;
  /** Undefined: it has ended, was cancelled, or never was. */
  request(id: Uuid): Promise<ShownEffect | undefined>;
}
