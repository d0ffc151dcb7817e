import type { Perspective, RebuildMode } from '../../contracts/perspective.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { RebuildRequest } from './rebuild-request.js';

/** How a perspective is doing, as far as this host knows. */
export interface PerspectiveState {
  readonly name: string;
  /** The global position up to which the model is folded. */
  readonly position: Long;
  /** How many positions of the log are not in it. */
  readonly lag: Long;
  /** For how long it has not been at the end of the log. */
  readonly behindSeconds: number;
  /** `starting`, `withoutLease` (another host runs it), `catchingUp`, `live`, `rewinding`, `rebuilding` or `failed`. */
  readonly state: string;
  /** How many keys wait for a repair. */
  readonly parked: number;
  /** Why it stands still. */
  readonly error?: string;
  /** Why readers see the version before this one: its replay failed. The state is then `failed`. */
  readonly notServed?: string;
  /** How far a rebuild is, in events. */
  readonly rebuild?: { readonly done: number; readonly total: number };
}

export interface RebuildOptions extends RebuildRequest {
  /** Cancels it: the old model stays, where there is one. */
  readonly signal?: AbortSignal;
  /** How far it is, about once a second. */
  readonly progress?: (progress: RebuildProgress) => void;
}

export interface RebuildProgress {
  readonly events: number;
  readonly totalEvents: number;
  readonly streams: number;
  readonly totalStreams: number;
}

/** What a rebuild came to. */
export interface Rebuilt {
  readonly id: Uuid;
  readonly name: string;
  readonly mode: RebuildMode;
  readonly streams: number;
  readonly events: number;
  readonly seconds: number;
  /** Present when rows that readers had could not be folded, and force gave them the rest all the same. */
  readonly forced?: boolean;
  readonly rowsParked?: number;
}

/** The perspectives of a service. */
export interface ServicePerspectives {
  readonly declared: readonly Perspective<unknown>[];
  /** Settles when the tables are there and the runners wait for their leases. */
  readonly started: Promise<void>;
  list(): readonly PerspectiveState[];
  /** Resolves when the perspective has seen the position, whichever host runs it. */
  caughtUp(name: string, position: Long, signal?: AbortSignal): Promise<void>;
  /** Whether a row of the events from one position to another is parked, in whichever perspective. */
  isParked(from: Long, to: Long): Promise<boolean>;
  /** Has parked keys folded again, one or all; answers how many. */
  release(name: string, key?: string): Promise<number>;
  /** Builds the model anew; resolves when readers see it. */
  rebuild(name: string, options: RebuildOptions): Promise<Rebuilt>;
}
