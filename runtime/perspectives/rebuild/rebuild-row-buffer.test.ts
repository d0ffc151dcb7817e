import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../../contracts/event-store.js';
import { Event } from '../../../contracts/message.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { suite } from '../../../contracts/testing/suite.js';
import type { Folded } from '../fold/fold.js';
import { RebuildRowBuffer } from './rebuild-row-buffer.js';
import { perspectiveTable } from '../tables/perspective-table.js';
import { InMemoryLog } from '../../testing/in-memory-perspective-store.js';

const test = suite('rebuild folds');

class Counted extends Event {}

const perspective = {
  name: 'counts',
  events: [Counted],
  snapshotEvery: 2,
  initial: () => ({ count: 0 }),
  apply: (model: { count: number }, { payload }: StoredEvent<{ readonly by?: number }>) =>
    payload.by === 0 ? null : { count: model.count + (payload.by ?? 1) },
} as unknown as AnyPerspective;
const rules = { perspective, table: perspectiveTable(perspective) };
const store = '10000000-0000-4000-8000-000000000000';
const [first, second] = [1, 2].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string];

function taking(folds: RebuildRowBuffer): (stream: string, by: number) => void {
  const log = new InMemoryLog();
  return (stream, by) => {
    log.append(stream, 'Counted', { by }, log.entries.length, store);
    for (const entry of log.entries.slice(-1)) folds.take(entry);
  };
}

const shown = ({ key, row, snapshots }: Folded) => [key, row?.model ?? null, snapshots.length];

test('written rows stay in memory, and only changed ones are written again', () => {
  const folds = new RebuildRowBuffer(rules, []);
  const take = taking(folds);
  for (const by of [1, 2, 3]) take(first, by);
  take(second, 5);
  assert.equal([...folds.changed()].map(shown), [
    [first, '{"count":6}', 1],
    [second, '{"count":5}', 0],
  ]);
  assert.equal([...folds.changed()], []);
  take(first, 4);
  assert.equal([...folds.changed()].map(shown), [[first, '{"count":10}', 1]]);
  take(second, 0);
  assert.equal([...folds.changed()].map(shown), [[second, null, 0]]);
  assert.is(folds.size, 2);
});

test('dropped rows must be loaded before they are folded further', () => {
  const folds = new RebuildRowBuffer(rules, []);
  const take = taking(folds);
  take(first, 1);
  assert.is([...folds.changed()].length, 1);
  folds.forget();
  assert.is(folds.size, 0);
  folds.load(new Map([[first, { model: '{"count":1}', tenant: null, position: 1, applied: 1 }]]));
  assert.equal([...folds.changed()], []);
  take(first, 2);
  assert.equal([...folds.changed()].map(shown), [[first, '{"count":3}', 1]]);
});
