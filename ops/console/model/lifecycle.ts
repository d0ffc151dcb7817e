import type { Counts, PastCounts } from './recent-counts.js';
import type { RequestDetail, RequestItem } from './requests.js';
import type { MaybePromise } from './maybe-promise.js';

export interface LifecyclePart {
  /** The machine as XState JSON. */
  readonly machine: unknown;
  figures(): MaybePromise<LifecycleFigures>;
  /** The counts of the last minute and a half, oldest first. */
  history(): MaybePromise<readonly PastCounts[]>;
  /** Newest first: requests whose ids, command, outcome or error contain the text, or that wrote to that stream. */
  requests(text: string, limit: number): MaybePromise<readonly RequestItem[]>;
  /** Oldest first: requests that have been running for a while. */
  inFlight(): MaybePromise<readonly RequestItem[]>;
  request(id: string): Promise<RequestDetail | undefined>;
  /** Keeps traces while the console is watched, until the returned function is called. */
  watch(): () => void;
}

export interface LifecycleFigures extends Counts {
  readonly states: readonly StateFigures[];
  readonly edges: readonly EdgeFigures[];
}

export interface StateFigures extends Quantiles {
  readonly state: string;
  readonly inFlight: number;
  readonly count: number;
}

/** The number of requests on this edge, and how long they were in the state before it. */
interface EdgeFigures extends Quantiles {
  readonly from: string;
  readonly event: string;
  readonly to: string;
  readonly count: number;
}

interface Quantiles {
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
}
