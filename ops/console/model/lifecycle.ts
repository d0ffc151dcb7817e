import type { RequestDetail, RequestLine } from './requests.js';
import type { MaybePromise } from './maybe-promise.js';

export interface LifecyclePart {
  /** The machine as XState JSON. */
  readonly machine: unknown;
  figures(): MaybePromise<LifecycleFigures>;
  /** Newest first: those whose ids, command, outcome or error hold the text. */
  requests(text: string, limit: number): MaybePromise<readonly RequestLine[]>;
  request(id: string): Promise<RequestDetail | undefined>;
  /** Somebody watches: traces are kept until the returned function is called. */
  watch(): () => void;
}

export interface LifecycleFigures {
  readonly requests: number;
  readonly failed: number;
  readonly states: readonly StateFigures[];
  readonly edges: readonly EdgeFigures[];
}

export interface StateFigures extends Quantiles {
  readonly state: string;
  readonly inFlight: number;
  readonly count: number;
}

/** How often requests went this way, and how long they had been in the state they left. */
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
