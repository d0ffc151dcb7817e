import * as assert from 'uvu/assert';
import { Event } from '../../../contracts/message.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { newUuid } from '../../../contracts/uuid.js';
import { firstPage } from '../../testing/first-page.js';
import { withMigratedDatabase } from '../../testing/migrated-database.js';
import { createPerspectiveTables } from '../tables/create-tables.js';
import { readModels, type RowsQuery } from './read-models.js';
import { perspectiveTable } from '../tables/perspective-table.js';

const test = suite('read models');

class Baked extends Event {}

const loaves = (version: number, columns: object) =>
  perspectiveTable({
    name: 'loaves',
    events: [Baked],
    version,
    columns,
    initial: () => ({}),
    apply: () => ({}),
  } as unknown as AnyPerspective);

const old = loaves(1, {});
const replayed = loaves(2, { kind: { type: 'text', of: () => 'rye' } });

const rye: RowsQuery = {
  ...firstPage,
  filters: replayed.columns.map((column) => ({ column, operator: 'eq', values: ['rye'] })),
};
const only = (models: string) => ({ total: 1, isExact: true, start: 0, models });

test('while a new version is replayed in the background, and when that fails, readers see the old model, and then the new one', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await createPerspectiveTables(owner, [old, replayed]);
    const row = (n: number) => `SELECT '${n}', '{"version": ${n}}'::jsonb, 1, 1, now()`;
    await owner.rows({
      text: `INSERT INTO ${old.table}(id, model, position, applied, updated_at) ${row(1)};
        INSERT INTO ${replayed.table}(id, model, position, applied, updated_at) ${row(2)};
        DROP VIEW ${old.view}; CREATE VIEW ${old.view} AS SELECT * FROM ${old.table}; GRANT SELECT ON ${old.view} TO svc_runtime`,
    });
    const replays = (status: number, hash: string, state: object = {}) =>
      owner.rows({
        text: `INSERT INTO svc_schema_migrations(migration_key, strategy, status_description, library_version, attempts, updated_at, hash, status, state)
          VALUES ('perspective/loaves', 'EventReplay', '', '', 1, now(), $1, $2, $3)
          ON CONFLICT (migration_key) DO UPDATE SET hash = excluded.hash, status = excluded.status, state = excluded.state`,
        values: [hash, status, state],
      });
    await replays(4, replayed.hash);
    const models = readModels(connect());
    assert.equal(await models.page(replayed, firstPage), only('[{"version": 1}]'));
    assert.equal(await models.one(replayed, '2', undefined), { isParked: false });
    assert.equal(await models.page(old, firstPage), only('[{"version": 1}]'));
    const failure: unknown = await models.page(replayed, rye).catch((error: unknown) => error);
    assert.instance(failure, Problem);
    assert.match(String(failure), /loaves has not been replayed yet/);
    await replays(-1, old.hash, { failedHash: replayed.hash });
    assert.equal(await models.page(replayed, firstPage), only('[{"version": 1}]'));
    await replays(2, replayed.hash);
    assert.equal(await models.page(replayed, firstPage), only('[{"version": 2}]'));
    assert.equal((await models.page(replayed, rye)).total, 0);
    assert.equal(await models.page(old, firstPage), only('[{"version": 1}]'));
  }));

test('a tenant sees its own rows, whatever the query; without a tenant only rows without a tenant are seen', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await createPerspectiveTables(owner, [replayed]);
    await owner.rows({
      text: `INSERT INTO ${replayed.table}(id, model, kind, tenant, position, applied, updated_at)
        SELECT coalesce(t, 'none'), to_jsonb(coalesce(t, 'none')), 'rye', t, 1, 1, now() FROM unnest(ARRAY['a', 'b', NULL]) t`,
    });
    const models = readModels(connect());
    for (const [tenant, own] of [
      ['a', 'a'],
      ['b', 'b'],
      [undefined, 'none'],
    ] as const) {
      for (const asked of [firstPage, rye])
        assert.equal(await models.page(replayed, { ...asked, tenant }), only(`["${own}"]`));
      for (const id of ['a', 'b', 'none'])
        assert.is((await models.one(replayed, id, tenant)).model, id === own ? `"${own}"` : undefined);
    }
    assert.is((await models.page(replayed, { ...firstPage, tenant: 'c' })).total, 0);
  }));

test('a dropped table is reported as such until it is back', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await createPerspectiveTables(owner, [old]);
    const models = readModels(connect());
    assert.is((await models.page(old, firstPage)).total, 0);
    await owner.rows({ text: `DROP TABLE ${old.table} CASCADE` });
    for (const read of [() => models.page(old, firstPage), () => models.one(old, '1', undefined)]) {
      const failure: unknown = await read().catch((error: unknown) => error);
      assert.instance(failure, Problem);
      assert.equal(
        [(failure as Problem).status, (failure as Problem).detail],
        [503, 'The table of loaves does not exist; a rebuild creates it again.'],
      );
    }
    await createPerspectiveTables(owner, [old]);
    assert.is((await models.page(old, firstPage)).total, 0);
  }));

test('readers see that a model is being rebuilt in place, that this failed until a rebuild succeeds, and that a row is parked', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await createPerspectiveTables(owner, [old]);
    const models = readModels(connect());
    const state = async () => {
      const { state: one, isParked } = await models.one(old, '1', undefined);
      return [(await models.page(old, firstPage)).state, one, isParked];
    };
    assert.equal(await state(), [undefined, undefined, false]);
    await owner.rows({
      text: `INSERT INTO svc_rebuilds(id, table_name, name, mode, state, target, started_at)
        VALUES (gen_random_uuid(), $1, 'loaves', 'InPlace', 'replaying', 9, clock_timestamp())`,
      values: [old.table],
    });
    assert.equal(await state(), ['rebuilding', 'rebuilding', false]);
    await owner.rows({ text: "UPDATE svc_rebuilds SET state = 'failed', ended_at = clock_timestamp()" });
    assert.equal(await state(), ['incomplete', 'incomplete', false]);
    const done = (mode: string) =>
      owner.rows({
        text: `INSERT INTO svc_rebuilds(id, table_name, name, mode, state, target, started_at, ended_at)
          VALUES (gen_random_uuid(), $1, 'loaves', $2, 'done', 9, clock_timestamp(), clock_timestamp())`,
        values: [old.table, mode],
      });
    await done('SelectedStreams');
    assert.equal(await state(), ['incomplete', 'incomplete', false]);
    await done('BlueGreen');
    await owner.rows({
      text: `INSERT INTO svc_stuck_work(follower, key, position, state, attempts) VALUES ($1, '1', 1, 'parked', 1)`,
      values: [old.table],
    });
    assert.equal(await state(), [undefined, undefined, true]);
  }));

test('a tenant learns neither of a row of another one nor that its key is parked', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const owner = connect({ owner: true });
    await createPerspectiveTables(owner, [old]);
    const messageId = newUuid();
    const baked = { messageId, messageType: 'Baked', payload: {}, correlationId: 'c', v: 1 as const };
    const timestamp = '2026-01-02T03:04:05Z';
    await openStore().append(newUuid(), { ...baked, timestamp, scope: { tenantId: 'north' } });
    await owner.rows({
      text: `INSERT INTO ${old.table}(id, model, tenant, position, applied, updated_at) VALUES ('1', '{}', 'north', 1, 1, now());
        INSERT INTO svc_stuck_work(follower, key, position, state, attempts)
        SELECT '${old.table}', key, global_position, 'parked', 1 FROM svc_events, unnest('{1,2}'::text[]) key`,
    });
    const models = readModels(connect());
    const parked = (key: string, tenant?: string) =>
      models.one(old, key, tenant).then(({ isParked }) => isParked);
    for (const key of ['1', '2'])
      assert.equal(
        await Promise.all([parked(key, 'north'), parked(key, 'south'), parked(key)]),
        [true, false, false],
        key,
      );
  }));
