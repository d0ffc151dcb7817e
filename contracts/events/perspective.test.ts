import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { Event, SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import * as events from './perspective.js';

const test = suite('events/perspective');

const id = '0190b5d4-0000-7000-8000-000000000001';
const at = '2026-03-01T09:30:00Z';
const rebuild = { streamId: id, perspectiveName: 'orders', mode: 'BlueGreen' } as const;
const rewind = { streamId: id, perspectiveName: 'orders', triggeringEventId: id } as const;

const samples: readonly (readonly [Event, readonly string[]])[] = [
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

test('every rebuild and rewind event has the fields of the specification', () => {
  assert.is(samples.length, Object.keys(events).length);
  for (const [event, fields] of samples) {
    assert.equal(Object.keys(event), fields, event.constructor.name);
    assert.equal(faultsOf(event), [], event.constructor.name);
  }
});

test('every field is required; only the snapshot of a rewind may be null', () => {
  for (const [event, fields] of samples) {
    const empty = Reflect.construct(event.constructor, [{}]) as object;
    const needed = fields.filter((name) => name !== 'replayFromSnapshotEventId').map((name) => `/${name}`);
    assert.equal(
      faultsOf(empty).map(({ path }) => path),
      needed,
      event.constructor.name,
    );
  }
});

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

test('ids are UUIDs, times are timestamps and durations are ISO 8601', () => {
  for (const type of Object.values(events)) {
    const names = Object.keys(type.fields);
    const wrong = Reflect.construct(type, [Object.fromEntries(names.map((name) => [name, 'oops']))]);
    const reported = new Map(faultsOf(wrong).map(({ path, message }) => [path, message]));
    for (const name of names) {
      if (name.endsWith('Id')) assert.is(reported.get(`/${name}`), 'must be a UUID');
      if (name.endsWith('At'))
        assert.is(reported.get(`/${name}`), 'must be an ISO 8601 timestamp with offset');
      if (/duration$/i.test(name)) assert.is(reported.get(`/${name}`), 'must be an ISO 8601 duration');
    }
  }
});

test('perspective events are plain events that are never audited', () => {
  for (const type of Object.values(events)) {
    assert.ok(type.prototype instanceof Event, type.name);
    assert.not(type.prototype instanceof SystemEvent, type.name);
    assert.is(auditMarkOf(type)?.exclude, true, type.name);
  }
});

test.run();
