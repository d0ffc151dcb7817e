import type { AnyPerspective, RebuildMode } from '../../contracts/perspective.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { ActingOperator } from '../store/operator-action.js';
import type { RebuildRequest } from './rebuild/rebuild-request.js';

/** The state of a perspective as known to this host. */
export interface PerspectiveState {
  readonly name: string;
  /** The global position up to which the model is folded. */
  readonly position: Long;
  /** How many positions of the log are not folded yet. */
  readonly lag: Long;
  /** How long it has been behind the head of the log. */
  readonly behindSeconds: number;
  /** `starting`, `withoutLease` (another host runs it), `catchingUp`, `live`, `rewinding`, `rebuilding` or `failed`. */
  readonly state: string;
  /** How many keys are parked; at most 10,000 are counted of a perspective that another host runs. */
  readonly parked: number;
  /** Why it has stopped. */
  readonly error?: string;
  /** Why readers see the previous version: the replay of this one failed. The state is then `failed`. */
  readonly notServed?: string;
  /** The progress of a rebuild, in events, and its step if this host runs it. */
  readonly rebuild?: { readonly done: number; readonly total: number; readonly step?: string };
}

export interface RebuildOptions extends RebuildRequest {
  /** Who wants it, recorded with the request; absent when no operator does. */
  readonly by?: ActingOperator;
  /** Cancels the rebuild: the old model stays, if there is one. */
  readonly signal?: AbortSignal;
  /** Called with the progress, about once a second. */
  readonly progress?: (progress: RebuildProgress) => void;
}

export interface RebuildProgress {
  readonly events: number;
  readonly totalEvents: number;
  readonly streams: number;
  readonly totalStreams: number;
  /** `requested`, `preparing`, `replaying`, `verifying`, `swapping`, `swapped` or `completing`. */
  readonly step?: string | undefined;
}

/** The result of a rebuild. */
export interface Rebuilt {
  readonly id: Uuid;
  readonly name: string;
  readonly mode: RebuildMode;
  readonly streams: number;
  readonly events: number;
  readonly seconds: number;
  /** Present when rows that readers had could not be folded and the rest went live by force. */
  readonly forced?: boolean;
  readonly rowsParked?: number;
}

/** The perspectives of a service. */
export interface ServicePerspectives {
  readonly declared: readonly AnyPerspective[];
  /** Settles when the tables exist and the runners wait for their leases. */
  readonly started: Promise<void>;
  list(): readonly PerspectiveState[];
  /** Resolves when the perspective has processed the position, whichever host runs it. */
  caughtUp(name: string, position: Long, signal?: AbortSignal): Promise<void>;
  /** Whether any perspective has parked a row of the events between two positions. */
  isParked(from: Long, to: Long): Promise<boolean>;
  /** Releases one parked key or all, so that they are folded again; returns how many. */
  release(name: string, key?: string): Promise<number>;
  /** Rebuilds the model; resolves when readers see it. */
  rebuild(name: string, options: RebuildOptions): Promise<Rebuilt>;
}
