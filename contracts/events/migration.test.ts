import * as assert from 'uvu/assert';
import { MigrationFailureReason, MigrationStatus } from '../migration.js';
import { faultsOf } from '../record-class.js';
import {
  type EventSamples,
  mustBeComplete,
  mustBePlainAndUnaudited,
  mustCheckIdsAndTimes,
  mustRequireAllBut,
} from '../testing/plain-event-rules.js';
import { suite } from '../testing/suite.js';
import * as events from './migration.js';

const test = suite('events/migration');

const streamId = '0190b5d4-0000-7000-8000-000000000001';
const item = { streamId, migrationKey: 'perspective:orders' };

const batch = {
  streamId,
  libraryVersion: '0.1.0',
  applied: 1,
  updated: 0,
  skipped: 0,
  failed: 0,
  totalDuration: 'PT1S',
};

const samples: EventSamples = [
  [
    new events.MigrationItemStarted({ ...item, strategy: 'ColumnCopy', oldHash: 'aa', newHash: 'bb' }),
    ['streamId', 'migrationKey', 'strategy', 'oldHash', 'newHash'],
  ],
  [
    new events.MigrationItemCompleted({
      ...item,
      status: MigrationStatus.Updated,
      statusDescription: 'hash changed',
      duration: 'PT0.2S',
    }),
    ['streamId', 'migrationKey', 'status', 'statusDescription', 'duration'],
  ],
  [
    new events.MigrationItemFailed({
      ...item,
      status: MigrationStatus.Failed,
      failureReason: MigrationFailureReason.Unknown,
      error: 'syntax error',
      duration: 'PT0.2S',
    }),
    ['streamId', 'migrationKey', 'status', 'failureReason', 'error', 'duration'],
  ],
  [
    new events.MigrationBatchStarted({
      streamId,
      libraryVersion: '0.1.0',
      totalMigrations: 3,
      totalPerspectives: 1,
    }),
    ['streamId', 'libraryVersion', 'totalMigrations', 'totalPerspectives'],
  ],
  [
    new events.MigrationBatchCompleted({
      ...batch,
      results: [{ migrationKey: 'schema', status: 1, statusDescription: 'applied' }],
    }),
    ['streamId', 'libraryVersion', 'results', 'applied', 'updated', 'skipped', 'failed', 'totalDuration'],
  ],
];

test('every migration event has the fields of the specification', () => mustBeComplete(events, samples));

test('every field is required; only the old hash may be null', () => mustRequireAllBut('oldHash', samples));

test('an item that was never applied has null as its old hash', () => {
  const started = new events.MigrationItemStarted({ ...item, strategy: 'DirectDdl', newHash: 'bb' });
  assert.is(started.oldHash, null);
});

test('a result of a batch is checked item by item', () => {
  const completed = Reflect.construct(events.MigrationBatchCompleted, [
    { ...batch, results: [{ migrationKey: 'schema', status: 9 }] },
  ]);
  assert.equal(faultsOf(completed), [
    {
      path: '/results/0/status',
      message: 'must be one of Applied (1), Updated (2), Skipped (3), MigratingInBackground (4), Failed (-1)',
    },
    { path: '/results/0/statusDescription', message: 'is required' },
  ]);
});

test('ids are UUIDs, times are timestamps and durations are ISO 8601', () => mustCheckIdsAndTimes(events));

test('migration events are plain events that are never audited', () => mustBePlainAndUnaudited(events));
