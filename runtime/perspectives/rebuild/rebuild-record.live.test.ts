import * as assert from 'uvu/assert';
import { RebuildMode } from '../../../contracts/perspective.js';
import { suite } from '../../../contracts/testing/suite.js';
import { newUuid } from '../../../contracts/uuid.js';
import type { Database } from '../../database/database.js';
import { withMigratedDatabase } from '../../testing/migrated-database.js';
import { renewRebuild, releaseRebuild, rebuildRecord, acquireRebuild } from './rebuild-record.js';
import { cancelRebuild, requestRebuild } from './rebuild-request.js';

const test = suite('rebuild record');

const table = { name: 'loaves', table: 'svc_per_loaves_1' };
const blueGreen = { mode: RebuildMode.BlueGreen };
const figures = { streams: 1, events: 2 };

const withOwner = (body: (owner: Database) => Promise<void>): Promise<void> =>
  withMigratedDatabase(({ connect }) => body(connect({ owner: true })));

async function taken(owner: Database) {
  const worker = newUuid();
  const record = await acquireRebuild(owner, await requestRebuild(owner, table, blueGreen), worker);
  assert.ok(record);
  return { worker, record };
}

test('a running rebuild can be neither requested nor acquired again', () =>
  withOwner(async (owner) => {
    const { record } = await taken(owner);
    const refusal: unknown = await requestRebuild(owner, table, blueGreen).catch((error: unknown) => error);
    assert.match(String(refusal), /loaves is already being rebuilt/);
    assert.is(await acquireRebuild(owner, record.id, newUuid()), undefined);
  }));

test('the worker of a rebuild learns that it is cancelled', () =>
  withOwner(async (owner) => {
    const { record, worker } = await taken(owner);
    assert.is(await renewRebuild(owner, record, worker, figures), true);
    assert.is(await cancelRebuild(owner, 'rolls'), false);
    assert.is(await renewRebuild(owner, record, worker, figures), true);
    assert.is(await cancelRebuild(owner, 'loaves'), true);
    assert.is(await renewRebuild(owner, record, worker, figures), false);
    assert.is(await renewRebuild(owner, record, newUuid(), figures), undefined);
  }));

test('an abandoned rebuild resumes when it is requested again, although it was to be cancelled', () =>
  withOwner(async (owner) => {
    const { record, worker } = await taken(owner);
    await cancelRebuild(owner, 'loaves');
    await releaseRebuild(owner, record, worker);
    assert.is(await requestRebuild(owner, table, blueGreen), record.id);
    const next = newUuid();
    assert.ok(await acquireRebuild(owner, record.id, next));
    assert.is(await renewRebuild(owner, record, next, figures), true);
  }));

test('an abandoned rebuild of another kind is cancelled in favor of the requested one', () =>
  withOwner(async (owner) => {
    const { record, worker } = await taken(owner);
    await releaseRebuild(owner, record, worker);
    const id = await requestRebuild(owner, table, { mode: RebuildMode.InPlace });
    assert.is.not(id, record.id);
    const { state, error, isEnded } = (await rebuildRecord(owner, record.id)) ?? {};
    assert.equal([state, error, isEnded], ['cancelled', 'another rebuild was requested', true]);
  }));

test('a worker that requests a rebuild holds it at once; no other can acquire it in between', () =>
  withOwner(async (owner) => {
    const [worker, other] = [newUuid(), newUuid()];
    const id = await requestRebuild(owner, table, blueGreen, worker);
    assert.is(await acquireRebuild(owner, id, other), undefined);
    const record = await acquireRebuild(owner, id, worker);
    assert.ok(record);
    await releaseRebuild(owner, record, worker);
    assert.is(await requestRebuild(owner, table, blueGreen, other), id);
    assert.is(await acquireRebuild(owner, id, worker), undefined);
    assert.ok(await acquireRebuild(owner, id, other));
  }));

test('a waiting rebuild gives way to another kind only after it was cancelled', () =>
  withOwner(async (owner) => {
    const inPlace = { mode: RebuildMode.InPlace };
    const id = await requestRebuild(owner, table, blueGreen);
    assert.is(await requestRebuild(owner, table, blueGreen), id);
    const refusal: unknown = await requestRebuild(owner, table, inPlace).catch((error: unknown) => error);
    assert.match(String(refusal), /loaves is already being rebuilt/);
    await cancelRebuild(owner, 'loaves');
    assert.is.not(await requestRebuild(owner, table, inPlace), id);
  }));
