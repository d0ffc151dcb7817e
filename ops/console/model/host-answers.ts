import type { ActorNode } from './actors.js';
import type { HealthFigures } from './health.js';
import type { RelayFigures } from './outbox.js';
import type { PerspectiveFigures } from './perspectives.js';
import type { RequestDetail, RequestLine } from './requests.js';
import type { SentCounts } from './sent-counts.js';
import type { Soon } from './soon.js';

/** What only a host itself can say, in a form that can be sent to another process. */
export interface HostAnswers {
  counts(): Soon<SentCounts>;
  requests(text: string, limit: number): Soon<readonly RequestLine[]>;
  /** Null: it does not remember it. */
  request(id: string): Soon<RequestDetail | null>;
  actors(): Soon<readonly ActorNode[]>;
  health(): Soon<HealthFigures>;
  perspectives(): Soon<readonly PerspectiveFigures[]>;
  relay(): Soon<RelayFigures>;
}

export type HostAnswer<Q extends keyof HostAnswers> = Awaited<ReturnType<HostAnswers[Q]>>;
