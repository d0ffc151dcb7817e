import type { ActorNode } from './actor-node.js';
import type { HealthFigures } from './health.js';
import type { RelayFigures } from './outbox.js';
import type { PerspectiveFigures } from './perspectives.js';
import type { RequestDetail, RequestLine } from './requests.js';
import type { CompactCounts } from './compact-counts.js';
import type { MaybePromise } from './maybe-promise.js';

/** What only a host itself can say, in a form that can be sent to another process. */
export interface HostAnswers {
  counts(): MaybePromise<CompactCounts>;
  requests(text: string, limit: number): MaybePromise<readonly RequestLine[]>;
  /** Null: it does not remember it. */
  request(id: string): MaybePromise<RequestDetail | null>;
  actors(): MaybePromise<readonly ActorNode[]>;
  health(): MaybePromise<HealthFigures>;
  perspectives(): MaybePromise<readonly PerspectiveFigures[]>;
  relay(): MaybePromise<RelayFigures>;
}

export type HostAnswer<Q extends keyof HostAnswers> = Awaited<ReturnType<HostAnswers[Q]>>;
