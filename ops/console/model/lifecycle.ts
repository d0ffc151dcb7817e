import type { RequestDetail, RequestItem } from './requests.js';
import type { MaybePromise } from './maybe-promise.js';

export interface LifecyclePart {
  /** The machine as XState JSON. */
  readonly machine: unknown;
  figures(): MaybePromise<LifecycleFigures>;
  /** Newest first: requests whose ids, command, outcome or error contain the text. */
  requests(text: string, limit: number): MaybePromise<readonly RequestItem[]>;
  /** Oldest first: requests that have been running for a while. */
  inFlight(): MaybePromise<readonly RequestItem[]>;
  request(id: string): Promise<RequestDetail | undefined>;
  /** Keeps traces while the console is watched, until the returned function is called. */
  watch(): () => void;
}

export interface LifecycleFigures {
  /** Those whose lifecycle began. */
  readonly requests: number;
  readonly failed: number;
  /** Those of the failed ones that are an error of the service, not a refusal. */
  readonly crashed: number;
  /** Answered with a problem before the lifecycle began. */
  readonly rejected: number;
  /** Answered with the stored answer of an earlier request. */
  readonly replayed: number;
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
