import * as assert from 'uvu/assert';
import { EventFigures } from '../../actors/reactions/event-figures.js';
import { TimerFigures } from '../../actors/due/timer-figures.js';
import { suite } from '../../contracts/testing/suite.js';
import { aggregatedText, createMetrics } from '../../runtime/metrics/metrics.js';
import { type ReactionFigures, reactionMetrics } from './reaction-metrics.js';

const test = suite('metrics of reactions, processes and timers');

/** A host that has handled some events of a store in which one key is parked. */
function host(handled: number): ReactionFigures {
  const events = new EventFigures();
  events.count('handled', handled);
  events.count('unmatched');
  events.committed('2026-01-01T00:00:00.000Z', {
    events: [],
    records: [{ recordedAt: '2026-01-01T00:00:00.200Z' } as never],
  });
  const timers = new TimerFigures();
  timers.fired('fired', 30);
  for (const outcome of ['gone', 'later'] as const) timers.fired(outcome, 9_000);
  return {
    done: { events: new Map([['reserve-stock', events]]), timers, effects: new Map() },
    reservationConflicts: () => 2,
    state: () => ({
      reactions: [
        { name: 'reserve-stock', lag: 7, oldestSeconds: 1.5, parked: 1, parkedKey: 'ada@example.org' },
      ],
      timers: {
        lateSeconds: 3,
        late: { name: 'reminder', key: 'ada@example.org' },
        parked: 1,
        parkedTimer: { name: 'reminder', key: 'ada@example.org' },
      },
      effects: [],
      lanes: [{ name: 'card-provider', lane: 'north', waiting: 9, dueAt: '2026-01-01T00:00:00.000Z' }],
      counts: { processes: [{ process: 'fulfilment', state: 'reserving', count: 4 }], timers: 5 },
    }),
  };
}

const measured = (figures: ReactionFigures) => {
  const metrics = createMetrics();
  metrics.add(...reactionMetrics(figures));
  return metrics;
};

const own = (text: string): string => text.slice(0, text.indexOf('# HELP process_'));

test('what hosts did is added up, and what they see of their store is not', async () => {
  const hosts = await Promise.all([host(3), host(4)].map((figures) => measured(figures).snapshot()));
  const text = await aggregatedText(hosts);
  for (const line of [
    'svc_reaction_events_total{reaction="reserve-stock",outcome="handled"} 7',
    'svc_reaction_events_total{reaction="reserve-stock",outcome="unmatched"} 2',
    'svc_reaction_seconds_bucket{le="0.25",reaction="reserve-stock"} 2',
    'svc_reaction_seconds_count{reaction="reserve-stock"} 2',
    'svc_reaction_lag{reaction="reserve-stock"} 7',
    'svc_reaction_wait_seconds{reaction="reserve-stock"} 1.5',
    'svc_reaction_parked{reaction="reserve-stock"} 1',
    'svc_processes{process="fulfilment",state="reserving"} 4',
    'svc_effect_lane_waiting{effect="card-provider",lane="north"} 9',
    'svc_timers_pending 5',
    'svc_timers_parked 1',
    'svc_timers_overdue_seconds 3',
    'svc_timer_lateness_seconds_count 2',
    'svc_timers_fired_total{outcome="fired"} 2',
    'svc_reservation_conflicts_total 4',
  ])
    assert.match(`\n${text}\n`, `\n${line}\n`);
});

test('no key is a label', async () => {
  assert.not.match(own(await measured(host(1)).text()), 'ada');
});
