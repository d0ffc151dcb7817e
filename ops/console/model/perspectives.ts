import type { RebuildRequest } from '../../../runtime/perspectives/rebuild-request.js';
import type { MaybePromise } from './maybe-promise.js';

export const rebuildModes = ['BlueGreen', 'InPlace'] as const;

export interface PerspectiveFigures {
  readonly name: string;
  readonly position: number;
  readonly lag: number;
  readonly state: string;
  /** For how long it has not been at the end of the log. */
  readonly behindSeconds?: number | undefined;
  /** Keys that wait for a repair. */
  readonly parked?: number | undefined;
  /** Why it stands still. */
  readonly error?: string | undefined;
  readonly rebuild?: { readonly done: number; readonly total: number } | undefined;
}

export interface PerspectivesPart {
  list(): MaybePromise<readonly PerspectiveFigures[]>;
  /** Has parked keys folded again; answers how many. */
  release(name: string): Promise<number>;
  /** Absent where nothing can be rebuilt. */
  readonly rebuild?: (name: string, request: RebuildRequest) => Promise<void>;
}
