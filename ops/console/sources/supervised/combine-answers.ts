import type { ActorNode } from '../../model/actor-node.js';
import type { HealthFigures } from '../../model/health.js';
import type { LifecycleFigures } from '../../model/lifecycle.js';
import type { OutboxFigures, RelayFigures } from '../../model/outbox.js';
import type { PerspectiveFigures } from '../../model/perspectives.js';
import { type Counts, sumOf } from '../../model/recent-counts.js';
import type { RequestItem } from '../../model/requests.js';
import { lifecycleFigures } from '../../model/lifecycle-figures.js';
import { combineCompactCounts, type CompactCounts, sumUnstarted } from '../../model/compact-counts.js';

/** The answers of several hosts, in their order; undefined for a host that does not answer. */
export type AnswersByHost<T> = readonly (readonly [host: string, answer: T | undefined])[];

export const combineFigures = (answers: AnswersByHost<CompactCounts>): LifecycleFigures =>
  lifecycleFigures(combineCompactCounts(givenAnswers(answers)), sumUnstarted(givenAnswers(answers)));

/** What each host has counted; one that never answered is left out. */
export const countsByHost = (answers: AnswersByHost<CompactCounts>): ReadonlyMap<string, Counts> =>
  new Map(
    answers.flatMap(([host, answer]) =>
      answer === undefined ? [] : [[host, combineFigures([[host, answer]])] as const],
    ),
  );

/** Adds what others have counted before. */
export const withCounts = (figures: LifecycleFigures, before: Counts): LifecycleFigures => ({
  ...figures,
  ...sumOf([figures, before]),
});

/** Newest first, each with the host that handled it. */
export const combineRequests = (
  answers: AnswersByHost<readonly RequestItem[]>,
  limit: number,
): readonly RequestItem[] =>
  answers
    .flatMap(([host, requests = []]) => requests.map((request) => ({ ...request, host })))
    .sort((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt))
    .slice(0, limit);

/** Longest running first, each with the host that handles it. */
export const combineInFlight = (answers: AnswersByHost<readonly RequestItem[]>): readonly RequestItem[] =>
  answers
    .flatMap(([host, requests = []]) => requests.map((request) => ({ ...request, host })))
    .sort((one, other) => other.ms - one.ms);

/** The tree of each host below its name. */
export const combineActors = (answers: AnswersByHost<readonly ActorNode[]>): readonly ActorNode[] =>
  answers.map(([name, children]) => ({
    name,
    state: children === undefined ? 'unreachable' : 'running',
    children,
  }));

const statusesByGravity = ['Healthy', 'Degraded', 'Unhealthy'];

/** The worst status of all; while a host does not answer, at best Degraded. */
export function combineHealth(answers: AnswersByHost<HealthFigures>): HealthFigures {
  const grade = ([, figures]: AnswersByHost<HealthFigures>[number]) =>
    statusesByGravity.indexOf(figures?.status ?? 'Degraded');
  return {
    status: statusesByGravity[Math.max(0, ...answers.map(grade))] ?? 'Healthy',
    checks: answers.flatMap(
      ([host, figures]) =>
        figures?.checks.map((check) => ({ ...check, host })) ?? [
          { name: 'host', host, tags: [], status: 'Unhealthy', detail: 'The host is not responding.' },
        ],
    ),
  };
}

/** Each as reported by the host that rebuilds or runs it, else by the host that is furthest. */
export function combinePerspectives(
  answers: AnswersByHost<readonly PerspectiveFigures[]>,
): readonly PerspectiveFigures[] {
  const known = new Map<string, PerspectiveFigures>();
  for (const one of givenAnswers(answers).flat()) {
    const other = known.get(one.name);
    if (other === undefined || knowledgeRank(one) > knowledgeRank(other)) known.set(one.name, one);
    else if (knowledgeRank(one) === knowledgeRank(other) && one.position > other.position)
      known.set(one.name, one);
  }
  return [...known.values()];
}

const statesWithoutLease = new Set(['withoutLease', 'starting']);

const knowledgeRank = ({ rebuild, state }: PerspectiveFigures): number =>
  rebuild?.step !== undefined ? 3 : rebuild !== undefined ? 2 : statesWithoutLease.has(state) ? 0 : 1;

/** All hosts share the store; each has its own relay. */
export function combineOutbox(stored: OutboxFigures, answers: AnswersByHost<RelayFigures>): OutboxFigures {
  const relays = givenAnswers(answers);
  const counts: Record<string, number> = {};
  for (const relay of relays)
    for (const [name, count] of Object.entries(relay.counts)) counts[name] = (counts[name] ?? 0) + count;
  return { ...stored, relay: [...new Set(relays.map(({ state }) => state))].join(', '), counts };
}

const givenAnswers = <T>(answers: AnswersByHost<T>): readonly T[] =>
  answers.flatMap(([, answer]) => (answer === undefined ? [] : [answer]));
