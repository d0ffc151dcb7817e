import type {
  ActorNode,
  ConsoleHost,
  HealthFigures,
  PerspectiveFigures,
  RequestDetail,
  RequestSummary,
  Soon,
} from '../../endpoints/console/source.js';
import type { Inspection } from '../../endpoints/inspection/inspection.js';
import { together } from '../../endpoints/lifecycle/aggregates.js';
import type { RelayFigures } from '../console/outbox-part.js';
import { sentCounts, type SentCounts } from './sent-counts.js';

/** What only a host itself can say, in a form that can be sent to another process. */
export interface HostAnswers {
  counts(): Soon<SentCounts>;
  requests(text: string, limit: number): Soon<readonly RequestSummary[]>;
  /** Null: it does not remember it. */
  request(id: string): Soon<RequestDetail | null>;
  actors(): Soon<readonly ActorNode[]>;
  health(): Soon<HealthFigures>;
  perspectives(): Soon<readonly PerspectiveFigures[]>;
  relay(): Soon<RelayFigures>;
}

/** A host as its own process sees it. */
export interface OwnHost {
  readonly host: ConsoleHost;
  readonly inspection: Inspection;
  readonly relay: () => RelayFigures;
}

export const hostAnswers = ({ host, inspection, relay }: OwnHost): HostAnswers => ({
  counts: () => sentCounts(together('', inspection.aggregates())),
  requests: (text, limit) => host.lifecycle?.requests(text, limit) ?? [],
  request: async (id) => (await host.lifecycle?.request(id)) ?? null,
  actors: () => host.actors?.() ?? [],
  health: () => host.health?.() ?? { status: 'Healthy', checks: [] },
  perspectives: () => host.perspectives?.list() ?? [],
  relay: () => {
    const { state, counts } = relay();
    return { state, counts: { ...counts } };
  },
});
