import { mergeAggregates } from '../../../../endpoints/lifecycle/lifecycle-counts.js';
import type { HostAnswers } from '../../model/host-answers.js';
import { toCompactCounts } from '../../model/compact-counts.js';
import type { OwnHost } from '../host/own-host.js';

/** The answers of this process to its peers. */
export const ownAnswers = ({ host, inspection, relay }: Omit<OwnHost, 'database' | 'stop'>): HostAnswers => ({
  counts: () => toCompactCounts(mergeAggregates('', inspection.aggregates()), inspection.counts),
  history: () => host.lifecycle?.history() ?? [],
  requests: (text, limit) => host.lifecycle?.requests(text, limit) ?? [],
  inFlight: () => host.lifecycle?.inFlight() ?? [],
  request: async (id) => (await host.lifecycle?.request(id)) ?? null,
  actors: () => host.actors?.() ?? [],
  health: () => host.health?.() ?? { status: 'Healthy', checks: [] },
  perspectives: () => host.perspectives?.list() ?? [],
  relay: () => {
    const { state, counts } = relay();
    return { state, counts: { ...counts } };
  },
});
