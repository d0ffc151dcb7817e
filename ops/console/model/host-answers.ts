import type { ActorNode } from './actor-node.js';
import type { HealthFigures } from './health.js';
import type { RelayFigures } from './outbox.js';
import type { PastCounts } from './recent-counts.js';
import type { PerspectiveFigures } from './perspectives.js';
import type { RequestDetail, RequestItem } from './requests.js';
import type { CompactCounts } from './compact-counts.js';
import type { MaybePromise } from './maybe-promise.js';

/** What only the host itself knows, in a form that can be sent to another process. */
export interface HostAnswers {
  counts(): MaybePromise<CompactCounts>;
  history(): MaybePromise<readonly PastCounts[]>;
  requests(text: string, limit: number): MaybePromise<readonly RequestItem[]>;
  inFlight(): MaybePromise<readonly RequestItem[]>;
  /** Null: it is no longer remembered. */
  request(id: string): MaybePromise<RequestDetail | null>;
  actors(): MaybePromise<readonly ActorNode[]>;
  health(): MaybePromise<HealthFigures>;
  perspectives(): MaybePromise<readonly PerspectiveFigures[]>;
  relay(): MaybePromise<RelayFigures>;
}

export type HostAnswer<Q extends keyof HostAnswers> = Awaited<ReturnType<HostAnswers[Q]>>;
