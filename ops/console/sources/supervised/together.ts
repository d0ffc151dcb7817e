import type { ActorNode } from '../../model/actors.js';
import type { HealthFigures } from '../../model/health.js';
import type { LifecycleFigures } from '../../model/lifecycle.js';
import type { OutboxFigures, RelayFigures } from '../../model/outbox.js';
import type { PerspectiveFigures } from '../../model/perspectives.js';
import type { RequestLine } from '../../model/requests.js';
import { figuresOf } from '../../model/figures.js';
import { countedTogether, type SentCounts } from '../../model/sent-counts.js';

/** What each of several hosts said, in their order; nothing: it does not answer. */
export type Said<T> = readonly (readonly [host: string, answer: T | undefined])[];

export const figuresTogether = (said: Said<SentCounts>): LifecycleFigures =>
  figuresOf(countedTogether(answersIn(said)));

/** Newest first, each with the host that took it. */
export const requestsTogether = (said: Said<readonly RequestLine[]>, limit: number): readonly RequestLine[] =>
  said
    .flatMap(([host, requests = []]) => requests.map((request) => ({ ...request, host })))
    .sort((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt))
    .slice(0, limit);

/** The tree of each host below its name. */
export const actorsTogether = (said: Said<readonly ActorNode[]>): readonly ActorNode[] =>
  said.map(([name, children]) => ({
    name,
    state: children === undefined ? 'unreachable' : 'running',
    children,
  }));

const grades = ['Healthy', 'Degraded', 'Unhealthy'];

/** As well as the least well of them; while one does not answer, less than well. */
export function healthTogether(said: Said<HealthFigures>): HealthFigures {
  const grade = ([, figures]: Said<HealthFigures>[number]) => grades.indexOf(figures?.status ?? 'Degraded');
  return {
    status: grades[Math.max(0, ...said.map(grade))] ?? 'Healthy',
    checks: said.flatMap(
      ([host, figures]) =>
        figures?.checks.map((check) => ({ ...check, host })) ?? [
          { name: 'host', host, tags: [], status: 'Unhealthy', detail: 'The host does not answer.' },
        ],
    ),
  };
}

/** Each as the host knows it that rebuilds or runs it, else as the one that has seen it furthest. */
export function perspectivesTogether(
  said: Said<readonly PerspectiveFigures[]>,
): readonly PerspectiveFigures[] {
  const known = new Map<string, PerspectiveFigures>();
  for (const one of answersIn(said).flat()) {
    const other = known.get(one.name);
    if (other === undefined || knows(one) > knows(other)) known.set(one.name, one);
    else if (knows(one) === knows(other) && one.position > other.position) known.set(one.name, one);
  }
  return [...known.values()];
}

const elsewhere = new Set(['withoutLease', 'starting']);

const knows = ({ rebuild, state }: PerspectiveFigures): number =>
  rebuild !== undefined ? 2 : elsewhere.has(state) ? 0 : 1;

/** The store is the same for all; each has a relay of its own. */
export function outboxTogether(stored: OutboxFigures, said: Said<RelayFigures>): OutboxFigures {
  const relays = answersIn(said);
  const counts: Record<string, number> = {};
  for (const relay of relays)
    for (const [name, count] of Object.entries(relay.counts)) counts[name] = (counts[name] ?? 0) + count;
  return { ...stored, relay: [...new Set(relays.map(({ state }) => state))].join(', '), counts };
}

const answersIn = <T>(said: Said<T>): readonly T[] =>
  said.flatMap(([, answer]) => (answer === undefined ? [] : [answer]));
