import type { RebuildRequest } from '../../../runtime/perspectives/rebuild-request.js';
import type { MaybePromise } from './maybe-promise.js';

export const rebuildModes = ['BlueGreen', 'InPlace'] as const;

export interface PerspectiveFigures {
  readonly name: string;
  readonly position: number;
  readonly lag: number;
  readonly state: string;
  /** How long it has been behind the log. */
  readonly behindSeconds?: number | undefined;
  /** The number of parked rows. */
  readonly parked?: number | undefined;
  /** The reason why it does not advance. */
  readonly error?: string | undefined;
  readonly rebuild?: { readonly done: number; readonly total: number } | undefined;
}

export interface PerspectivesPart {
  list(): MaybePromise<readonly PerspectiveFigures[]>;
  /** Releases parked rows to be folded again; returns how many. */
  release(name: string): Promise<number>;
  /** Absent if nothing can be rebuilt. */
  readonly rebuild?: (name: string, request: RebuildRequest) => Promise<void>;
}
