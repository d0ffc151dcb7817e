import type { EventFigures } from '../../actors/reactions/event-figures.js';
import type { EffectFigures } from '../../actors/due/effect-figures.js';
import type { TimerFigures } from '../../actors/due/timer-figures.js';
import type { MetricFamily, Sample } from '../../runtime/metrics/metrics.js';
import type { ReactionState } from './reaction-health.js';

/** What this host has done, and what all hosts together have still to do. */
export interface ReactionFigures {
  readonly done: {
    /** By the name of the reaction or process. */
    readonly events: ReadonlyMap<string, EventFigures>;
    readonly timers: TimerFigures;
    /** By the name of the effect. */
    readonly effects: ReadonlyMap<string, EffectFigures>;
  };
  readonly state: () => ReactionState;
  readonly reservationConflicts: () => number;
}

type Read = () => readonly Sample[];

/** Labels are names that the code declares, and lanes: no key, no value. */
export const reactionMetrics = (figures: ReactionFigures): readonly MetricFamily[] => [
  ...reactionFamilies(figures),
  gauge('svc_processes', 'Instances of processes that have not ended, by state.', () =>
    figures
      .state()
      .counts.processes.map(({ process, state, count }) => ({ labels: { process, state }, value: count })),
  ),
  ...timerFamilies(figures),
  ...effectFamilies(figures),
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
  gauge(
    'svc_reaction_parked',
    'Keys that are parked until they are released; of a partition at most 10,000 are counted.',
    () => state().reactions.map(({ name, parked }) => ({ labels: { reaction: name }, value: parked })),
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

const effectFamilies = ({ done, state }: ReactionFigures): readonly MetricFamily[] => [
  counter('svc_effect_calls_total', 'Calls of effects to other systems, by outcome.', () =>
    [...done.effects].flatMap(([effect, { counts }]) =>
      Object.entries(counts).map(([outcome, value]) => ({ labels: { effect, outcome }, value })),
    ),
  ),
  {
    name: 'svc_effect_seconds',
    help: 'How long calls of effects took, with what was stored after them.',
    type: 'histogram',
    read: () => [...done.effects].map(([effect, { seconds }]) => ({ labels: { effect }, value: seconds })),
  },
  {
    name: 'svc_effect_running',
    help: 'Calls of effects in flight.',
    type: 'gauge',
    aggregator: 'sum',
    read: () => [...done.effects].map(([effect, { running }]) => ({ labels: { effect }, value: running })),
  },
  gauge('svc_effect_waiting', 'Requests of effects that have not ended and are not parked.', () =>
    state().effects.map(({ name, waiting }) => ({ labels: { effect: name }, value: waiting })),
  ),
  gauge('svc_effect_lane_waiting', 'Requests that wait in a lane: of the ten in which the most do.', () =>
    state().lanes.map(({ name, lane, waiting }) => ({ labels: { effect: name, lane }, value: waiting })),
  ),
  gauge('svc_effect_parked', 'Requests of effects that are parked until they are released.', () =>
    state().effects.map(({ name, parked }) => ({ labels: { effect: name }, value: parked })),
  ),
  gauge('svc_effect_late_seconds', 'How late the latest request is that no host has claimed.', () =>
    state().effects.map(({ name, lateSeconds }) => ({ labels: { effect: name }, value: lateSeconds })),
  ),
];

const counter = (name: string, help: string, read: Read): MetricFamily => ({
  name,
  help,
  type: 'counter',
  read,
});

/** Every host of a store sees the same. */
const gauge = (name: string, help: string, read: Read): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  aggregator: 'max',
  read,
});
