import * as assert from 'uvu/assert';
import { faultsOf } from '../record-class.js';
import {
  type EventSamples,
  mustBeComplete,
  mustBePlainAndUnaudited,
  mustCheckIdsAndTimes,
  mustRequireAllBut,
} from '../testing/plain-event-rules.js';
import { suite } from '../testing/suite.js';
import * as events from './perspective.js';

const test = suite('events/perspective');

const id = '0190b5d4-0000-7000-8000-000000000001';
const at = '2026-03-01T09:30:00Z';
const rebuild = { streamId: id, perspectiveName: 'orders', mode: 'BlueGreen' } as const;
const rewind = { streamId: id, perspectiveName: 'orders', triggeringEventId: id } as const;

const samples: EventSamples = [
  [
    new events.PerspectiveRebuildStarted({ ...rebuild, totalStreams: 4, startedAt: at }),
    ['streamId', 'perspectiveName', 'mode', 'totalStreams', 'startedAt'],
  ],
  [
    new events.PerspectiveRebuildProgress({
      ...rebuild,
      processedStreams: 1,
      totalStreams: 4,
      eventsReplayed: 10,
      startedAt: at,
    }),
    [
      'streamId',
      'perspectiveName',
      'mode',
      'processedStreams',
      'totalStreams',
      'eventsReplayed',
      'startedAt',
    ],
  ],
  [
    new events.PerspectiveRebuildCompleted({
      ...rebuild,
      streamsProcessed: 4,
      eventsReplayed: 40,
      duration: 'PT2S',
    }),
    ['streamId', 'perspectiveName', 'mode', 'streamsProcessed', 'eventsReplayed', 'duration'],
  ],
  [
    new events.PerspectiveRebuildFailed({
      ...rebuild,
      error: 'disk full',
      streamsProcessedBeforeFailure: 2,
      duration: 'PT1S',
    }),
    ['streamId', 'perspectiveName', 'mode', 'error', 'streamsProcessedBeforeFailure', 'duration'],
  ],
  [
    new events.PerspectiveRewindStarted({
      ...rewind,
      replayFromSnapshotEventId: id,
      hasSnapshot: true,
      startedAt: at,
    }),
    [
      'streamId',
      'perspectiveName',
      'triggeringEventId',
      'replayFromSnapshotEventId',
      'hasSnapshot',
      'startedAt',
    ],
  ],
  [
    new events.PerspectiveRewindCompleted({
      ...rewind,
      finalEventId: id,
      eventsReplayed: 3,
      startedAt: at,
      completedAt: at,
    }),
    [
      'streamId',
      'perspectiveName',
      'triggeringEventId',
      'finalEventId',
      'eventsReplayed',
      'startedAt',
      'completedAt',
    ],
  ],
  [
    new events.StreamRewindStarted({
      streamId: id,
      perspectiveNames: ['orders'],
      triggerEventId: id,
      startedAt: at,
    }),
    ['streamId', 'perspectiveNames', 'triggerEventId', 'startedAt'],
  ],
  [
    new events.StreamRewindCompleted({
      streamId: id,
      perspectiveNames: ['orders', 'totals'],
      totalEventsReplayed: 6,
      startedAt: at,
      completedAt: at,
    }),
    ['streamId', 'perspectiveNames', 'totalEventsReplayed', 'startedAt', 'completedAt'],
  ],
];

test('every rebuild and rewind event has the fields of the specification', () =>
  mustBeComplete(events, samples));

test('every field is required; only the snapshot of a rewind may be null', () =>
  mustRequireAllBut('replayFromSnapshotEventId', samples));

test('the snapshot of a rewind without one is null', () => {
  const started = new events.PerspectiveRewindStarted({ ...rewind, hasSnapshot: false, startedAt: at });
  assert.is(started.replayFromSnapshotEventId, null);
  assert.ok(JSON.stringify(started).includes('"replayFromSnapshotEventId":null'));
});

test('an unknown rebuild mode is a fault', () => {
  const started = Reflect.construct(events.PerspectiveRebuildStarted, [
    { ...rebuild, mode: 'Sideways', totalStreams: 1, startedAt: at },
  ]);
  assert.equal(faultsOf(started), [
    { path: '/mode', message: 'must be one of BlueGreen, InPlace, SelectedStreams' },
  ]);
});

test('ids are UUIDs, times are timestamps and durations are ISO 8601', () => mustCheckIdsAndTimes(events));

test('perspective events are plain events that are never audited', () => mustBePlainAndUnaudited(events));
