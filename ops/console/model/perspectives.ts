import type { RebuildRequest } from '../../../runtime/perspectives/rebuild/rebuild-request.js';
import type { ParkedRowDetails } from '../../../runtime/perspectives/parked/parked-rows.js';
import type { ActedBy } from './acted-by.js';
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
  /** Why readers see the previous version. */
  readonly notServed?: string | undefined;
  readonly rebuild?: RebuildFigures | undefined;
}

interface RebuildFigures {
  readonly done: number;
  readonly total: number;
  /** The state of its statechart; unknown while another host runs it. */
  readonly step?: string | undefined;
}

/** Which rows of a perspective are wanted: those of one tenant, or of none. */
export interface RowsWanted {
  readonly tenant?: string | undefined;
  /** The beginning of the key. */
  readonly key?: string | undefined;
  /** The last key of the page before. */
  readonly after?: string | undefined;
}

export interface PerspectiveRow {
  readonly key: string;
  /** Absent if its events have sensitive fields: it may hold them under any name. */
  readonly row?: unknown;
  /** The position of its last event. */
  readonly position: number;
  readonly updatedAt: string;
}

export interface PerspectiveRows {
  readonly rows: readonly PerspectiveRow[];
  /** Whether a key is the id of a stream. */
  readonly byStream: boolean;
  readonly isHidden: boolean;
  readonly hasMore: boolean;
}

export interface PerspectivesPart {
  list(): MaybePromise<readonly PerspectiveFigures[]>;
  /** A page of rows by key; undefined if this host does not have the perspective. */
  rows(name: string, wanted: RowsWanted, limit: number): Promise<PerspectiveRows | undefined>;
  /** The oldest parked rows; undefined if there is no such perspective. */
  parked(name: string): Promise<readonly ParkedRowDetails[] | undefined>;
  /** Releases one parked row or all to be folded again; returns how many. Refuses a row that is not parked. */
  release(name: string, key: string | undefined, by: ActedBy): Promise<number>;
  /** Requests that a rebuild is cancelled; false if there is none. */
  cancelRebuild(name: string, by: ActedBy): Promise<boolean>;
  /** Absent if nothing can be rebuilt. */
  readonly rebuild?: (name: string, request: RebuildRequest, by: ActedBy) => Promise<void>;
}
