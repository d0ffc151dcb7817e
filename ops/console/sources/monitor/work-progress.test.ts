import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import { type WorkProgress, progressAfter } from './work-progress.js';

const test = suite('progress');

type Received = readonly [eventType: string, data: Record<string, unknown>, host?: string, store?: string];

const after = (...received: readonly Received[]): readonly WorkProgress[] =>
  received.reduce<readonly WorkProgress[]>(
    (known, [eventType, data, host = 'north', store = 's1']) =>
      progressAfter(known, { eventType, data, host, store, recordedAt: '2026-01-01T00:00:00.000Z' }),
    [],
  );

const rebuild = { perspectiveName: 'orders', mode: 'BlueGreen' };
const shown = (list: readonly WorkProgress[]) =>
  list.map(({ host, what, done, total, state }) => [host, what, done, total, state]);

test('a rebuild is followed from its start through its progress to its end', () => {
  const started: Received = ['PerspectiveRebuildStarted', { ...rebuild, totalStreams: 40 }];
  const progress: Received = [
    'PerspectiveRebuildProgress',
    { ...rebuild, processedStreams: 10, totalStreams: 40 },
  ];
  const completed: Received = ['PerspectiveRebuildCompleted', { ...rebuild, streamsProcessed: 40 }];
  assert.equal(shown(after(started)), [['north', 'rebuild of orders', 0, 40, 'running']]);
  assert.equal(shown(after(started, progress)), [['north', 'rebuild of orders', 10, 40, 'running']]);
  assert.equal(shown(after(started, progress, completed)), [
    ['north', 'rebuild of orders', 40, 40, 'completed'],
  ]);
});

test('a failed rebuild keeps its progress and shows the reason', () => {
  const list = after(
    ['PerspectiveRebuildProgress', { ...rebuild, processedStreams: 10, totalStreams: 40 }],
    ['PerspectiveRebuildFailed', { ...rebuild, error: 'the disk is full' }],
  );
  assert.equal(shown(list), [['north', 'rebuild of orders', 10, 40, 'failed']]);
  assert.is(list[0]?.detail, 'the disk is full');
});

test('migrations count their items, and their batch shows the results', () => {
  const started: Received = ['MigrationBatchStarted', { totalMigrations: 2, totalPerspectives: 1 }];
  const item: Received = ['MigrationItemCompleted', { migrationKey: '001-orders' }];
  assert.equal(shown(after(started, item)), [['north', 'migrations', 1, 3, 'running']]);
  const ended = (failed: number): Received => [
    'MigrationBatchCompleted',
    { results: [1, 2, 3], applied: 3 - failed, failed },
  ];
  const done = after(started, item, item, item, ended(0));
  assert.equal([shown(done), done[0]?.detail], [[['north', 'migrations', 3, 3, 'completed']], '3 applied']);
  assert.is(after(started, item, ended(1))[0]?.state, 'failed');
  assert.equal(
    shown(after(started, ended(0), item)),
    shown(after(started, ended(0))),
    'a late record changes nothing',
  );
});

test('each store and perspective has its own line, newest first, at most fifty', () => {
  const started = (perspectiveName: string, store: string): Received => [
    'PerspectiveRebuildStarted',
    { perspectiveName, totalStreams: 1 },
    'north',
    store,
  ];
  assert.is(after(started('a', 's1'), started('a', 's2'), started('b', 's1'), started('a', 's1')).length, 3);
  const many = after(...Array.from({ length: 80 }, (_, n) => started(`p${n}`, 's1')));
  assert.equal([many.length, many[0]?.what], [50, 'rebuild of p79']);
});

test('other records change nothing, and invalid data counts as zero', () => {
  assert.equal(after(['CommandAudited', {}]), []);
  const senseless: Received = [
    'PerspectiveRebuildProgress',
    { processedStreams: 'many', totalStreams: null },
  ];
  assert.equal(shown(after(senseless)), [['north', 'rebuild of ', 0, 0, 'running']]);
});
