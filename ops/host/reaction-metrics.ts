import type { EventFigures } from '../../actors/reactions/event-figures.js';
import type { TimerFigures } from '../../actors/due/timer-figures.js';
import type { MetricFamily, Sample } from '../../runtime/metrics/metrics.js';
import type { ReactionState } from './reaction-health.js';

/** What this host has done, and what all hosts together have still to do. */
export interface ReactionFigures {
  readonly done: {
    /** By the name of the reaction or process. */
    readonly events: ReadonlyMap<string, EventFigures>;
    readonly timers: TimerFigures;
  };
  readonly state: () => ReactionState;
  readonly reservationConflicts: () => number;
}

type Read = () => readonly Sample[];

/** Labels are names that the code declares: no key, no value. */
export const reactionMetrics = (figures: ReactionFigures): readonly MetricFamily[] => [
  ...reactionFamilies(figures),
  gauge('svc_processes', 'Instances of processes that have not ended, by state.', () =>
    figures
      .state()
      .counts.processes.map(({ process, state, count }) => ({ labels: { process, state }, value: count })),
  ),
  ...timerFamilies(figures),
  counter('svc_reservation_conflicts_total', 'Commits refused because another owner has the name.', () => [
    { value: figures.reservationConflicts() },
  ]),
];

const reactionFamilies = ({ done, state }: ReactionFigures): readonly MetricFamily[] => [
  counter('svc_reaction_events_total', 'Events that a reaction or process met, by outcome.', () =>
    [...done.events].flatMap(([reaction, { counts }]) =>
      Object.entries(counts).map(([outcome, value]) => ({ labels: { reaction, outcome }, value })),
    ),
  ),
  {
    name: 'svc_reaction_seconds',
    help: 'From an event to the commit of what a reaction or process did.',
    type: 'histogram',
    read: () => [...done.events].map(([reaction, { seconds }]) => ({ labels: { reaction }, value: seconds })),
  },
  gauge('svc_reaction_lag', 'Events by which a reaction or process is behind the log.', () =>
    state().reactions.map(({ name, lag }) => ({ labels: { reaction: name }, value: lag })),
  ),
  gauge('svc_reaction_wait_seconds', 'How long the oldest event waits that is not parked.', () =>
    state().reactions.map(({ name, oldestSeconds }) => ({
      labels: { reaction: name },
      value: oldestSeconds,
    })),
  ),
  gauge('svc_reaction_parked', 'Keys that are parked until they are released.', () =>
    state().reactions.map(({ name, parked }) => ({ labels: { reaction: name }, value: parked })),
  ),
];

const timerFamilies = ({ done, state }: ReactionFigures): readonly MetricFamily[] => [
  gauge('svc_timers_pending', 'Timers that are set and not parked.', () => [
    { value: state().counts.timers },
  ]),
  gauge('svc_timers_parked', 'Timers that are parked until they are released.', () => [
    { value: state().timers.parked },
  ]),
  gauge('svc_timers_overdue_seconds', 'How late the latest timer is that has not fired yet.', () => [
    { value: state().timers.lateSeconds },
  ]),
  {
    name: 'svc_timer_lateness_seconds',
    help: 'How late timers fired.',
    type: 'histogram',
    read: () => [{ value: done.timers.lateness }],
  },
  counter('svc_timers_fired_total', 'Timers whose time had come, by outcome.', () =>
    Object.entries(done.timers.counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
  ),
];

const counter = (name: string, help: string, read: Read): MetricFamily => ({
  ...{ name, help, type: 'counter', read },
});

/** Every host of a store sees the same. */
const gauge = (name: string, help: string, read: Read): MetricFamily => ({
  ...{ name, help, type: 'gauge', aggregator: 'max', read },
});
